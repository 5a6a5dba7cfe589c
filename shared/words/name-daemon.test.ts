import {expect, test} from 'vitest'
import {primeDaemon, primeSession} from '../contract/rows.ts'
import {explainDaemon, nameSessionState, WATCHING_EFFECTS} from './name-daemon.ts'

test('every state of a daemon and of a session has words of its own', () => {
  const daemons = primeDaemon.shape.state.options.map((state) => explainDaemon({state}).title)
  expect(new Set(daemons).size).toBe(daemons.length)
  const sessions = primeSession.shape.state.options.map((state) => nameSessionState(state).word)
  expect(new Set(sessions).size).toBe(sessions.length)
})

test('what the daemon calls itself, or the system said, is told as it is', () => {
  expect(explainDaemon({state: 'unsupported', detail: 'prime-agent.daemon 8'}).title).toBe(
    'Unsupported protocol: prime-agent.daemon 8',
  )
  expect(explainDaemon({state: 'failed', detail: 'EACCES'}).said).toBe('EACCES')
})

test('the side effects that a user must know are named before a session is watched', () => {
  const words = WATCHING_EFFECTS.flat().join(' ')
  for (const part of ['one attached client more', 'idle', '15 minutes', 'Subagents']) expect(words).toContain(part)
})
