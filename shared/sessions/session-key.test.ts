import fc from 'fast-check'
import {expect, test} from 'vitest'
import {compareSessions, LONGEST_SESSION_FILE, LONGEST_SESSION_ID, learnSession, sessionKey} from './session-key.ts'

test.each([
  [{sessionId: 'a', sessionFile: '/f'}, {sessionId: 'a', sessionFile: '/g'}, 'same'],
  [{sessionId: 'a', sessionFile: '/f'}, {sessionId: 'b', sessionFile: '/f'}, 'other'],
  [{sessionFile: '/f'}, {sessionId: 'b', sessionFile: '/f'}, 'same'],
  [{sessionId: 'a', sessionFile: '/f'}, {sessionFile: '/f'}, 'same'],
  [{sessionId: 'a', sessionFile: '/f'}, {sessionFile: '/g'}, 'other'],
  [{sessionId: 'a'}, {sessionFile: '/f'}, 'unknown'],
  [{sessionId: 'a'}, {}, 'unknown'],
  [{}, {}, 'unknown'],
] as const)('%j and %j: %s', (a, b, is) => {
  expect([compareSessions(a, b), compareSessions(b, a)]).toEqual([is, is])
})

test('what is empty names nothing, nor does a path that is longer than any', () => {
  expect(sessionKey('', '')).toEqual({})
  expect(sessionKey('a', 'f'.repeat(LONGEST_SESSION_FILE + 1))).toEqual({sessionId: 'a'})
})

test('a session known by its file learns its id, and is then that one', () => {
  const learned = learnSession({sessionFile: '/f'}, {sessionId: 'a', sessionFile: '/f'})
  expect(learned).toEqual({sessionId: 'a', sessionFile: '/f'})
  expect(compareSessions(learned, {sessionId: 'b', sessionFile: '/f'})).toBe('other')
})

const key = fc
  .record(
    {
      sessionId: fc.constantFrom('a', 'b', 'x'.repeat(LONGEST_SESSION_ID + 1)),
      sessionFile: fc.constantFrom('/f', '/g'),
    },
    {requiredKeys: []},
  )
  .map(({sessionId, sessionFile}) => sessionKey(sessionId, sessionFile))

test('learning never makes a session another one, forgets nothing, and is done once', () => {
  fc.assert(
    fc.property(key, key, (known, told) => {
      const learned = learnSession(known, told)
      if (known.sessionId !== undefined) expect(learned.sessionId).toBe(known.sessionId)
      if (known.sessionFile !== undefined) expect(learned.sessionFile).toBeDefined()
      expect(learnSession(learned, told)).toBe(learned)
      if (compareSessions(known, told) !== 'same') expect(learned).toBe(known)
    }),
  )
})
