import {expect, test} from 'vitest'
import {newSource} from '../../../shared/contract/contract.ts'
import type {PrimeDaemon, PrimeSession} from '../../../shared/contract/rows.ts'
import {foundFirst, newPrimeSource, sessionTitle} from './prime-source.ts'

const session: PrimeSession = {activeSessionId: 'a1', sessionId: '01a22d16-f118', state: 'idle', subagent: false}
const daemon: PrimeDaemon = {socket: '/tmp/prime-agent-1000/daemon.sock', state: 'connected', sessions: [session]}

test('a session without a name is called by its folder, else by its id', () => {
  expect(sessionTitle({...session, name: 'fix-login', cwd: '/src/harbour'})).toBe('fix-login')
  expect(sessionTitle({...session, name: ' ', cwd: '/src/harbour/'})).toBe('session in harbour')
  expect(sessionTitle({...session, cwd: 'C:\\src\\harbour'})).toBe('session in harbour')
  expect(sessionTitle(session)).toBe('session 01a22d16')
  const {sessionId: _, ...nameless} = session
  expect(sessionTitle({...nameless, sessionFile: '/sessions/tide.jsonl'})).toBe('session tide.jsonl')
})

test('what a click adds is keyed by the durable id of the session, and the contract takes it', () => {
  const added = newPrimeSource(daemon, {...session, name: 'x'.repeat(300)})
  expect(added.settings).toEqual({kind: 'prime', socket: daemon.socket, sessionId: '01a22d16-f118'})
  expect(newSource.safeParse(added).success).toBe(true)
})

test('found daemons come first, in the order they were told', () => {
  const absent = {...daemon, socket: '/b', state: 'absent'} as const
  expect(foundFirst([absent, daemon, {...daemon, socket: '/c'}]).map(({socket}) => socket)).toEqual([
    ...[daemon.socket, '/c', '/b'],
  ])
})
