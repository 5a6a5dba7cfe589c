import {expect, test} from 'vitest'
import {present} from '../base/present.ts'
import {attemptRow, cause, connectionRow, gapRow, notice, outcome} from '../contract/rows.ts'
import {
  isAttached,
  nameAttempt,
  nameCause,
  nameConnection,
  nameGapOutcome,
  nameNotice,
  nameOutcome,
  nameRejections,
  type StateWords,
} from './name-state.ts'

const families: ReadonlyArray<[family: string, words: readonly StateWords[]]> = [
  ['outcome', outcome.options.map(nameOutcome)],
  ['gap outcome', gapRow.shape.outcome.options.map(nameGapOutcome)],
  ['cause', cause.options.map(nameCause)],
  ['attempt', attemptRow.shape.state.options.map(nameAttempt)],
  ['notice', notice.shape.kind.options.map(nameNotice)],
]

test.each(families)('every %s has a word and a meaning of its own', (_family, words) => {
  expect(new Set(words.map(({word}) => word)).size).toBe(words.length)
  expect(new Set(words.map(({meaning}) => meaning)).size).toBe(words.length)
})

test('a connection is two signals, and says nothing of a heartbeat where none is due', () => {
  expect(nameConnection(connectionRow.parse({source: 'a', at: 0, state: 'live', heartbeat: 'stale'}))).toEqual({
    stream: 'attached',
    heartbeat: 'stale',
  })
  expect(nameConnection(connectionRow.parse({source: 'a', at: 0, state: 'waiting', heartbeat: 'none'}))).toEqual({
    stream: 'detached',
    doing: 'standing by',
  })
})

test('only a stop that the user asked for is called paused', () => {
  const stopped = (because: object) =>
    nameConnection(connectionRow.parse({source: 'a', at: 0, state: 'stopped', heartbeat: 'none', because})).doing
  expect(stopped({kind: 'asked'})).toBe('paused')
  expect(stopped({kind: 'closedWithApp'})).toBe('not running')
  expect(stopped({kind: 'evicted', code: 'taken_over', reason: '', terminal: true})).toBe('stopped')
})

test.each([
  ['live', undefined, true],
  ['connecting', undefined, false],
  ['waiting', undefined, false],
  ['held', undefined, false],
  ['held', true, true],
  ['stopped', undefined, false],
] as const)('a source that is %s, read on: %s, is attached: %s', (state, readsOn, attached) => {
  const connection = connectionRow.parse({source: 'a', at: 0, state, heartbeat: 'none'})
  expect(isAttached({connection, ...present({readsOn})})).toBe(attached)
})

test('an outcome says nothing of where the position went: a frame may carry none, and a source may have no callback', () => {
  for (const name of ['handled', 'skipped', 'discarded'] as const)
    expect(nameOutcome(name).meaning).not.toMatch(/position|callback resolved|too often/)
  expect(nameOutcome('discarded').meaning).toContain('a handler that asks for such frames')
  expect(nameCause('handled').meaning).toBe('moved because it was handled')
})

test('rejections are told with what of them is still open', () => {
  expect(nameRejections(3, 1).word).toBe('3 rejected, 1 still open')
  expect(nameRejections(3, 0)).toEqual({
    word: '3 rejected, none open',
    meaning: 'Deliveries rejected by their callback, in all. Each of these frames was handled or skipped since.',
  })
})
