import {expect, test} from 'vitest'
import {readConnectionState} from './connection-state.ts'

// As a server of August 2026 introduces a connection.
const introduced = {
  connection_id: 'conn-1',
  agent_id: 'agent-1',
  scope: 'all',
  filter: 'all',
  spawn_capable: false,
  rooms: [],
  cursor: 18,
  protocol: 1,
  heartbeat_interval_seconds: 2,
  server: {version: null, contracts: {'agent-protocol': {speaks: 1, accepts: 1}}},
}

test('what an introduction says', () => {
  expect(readConnectionState(introduced)).toEqual({
    agentId: 'agent-1',
    protocol: 1,
    cursor: 18,
    beatIntervalMs: 2000,
    positionHint: false,
  })
  expect(readConnectionState({...introduced, generation: 4_000_000_000, server: {version: '0.8.0'}})).toMatchObject({
    generation: 4_000_000_000,
    serverVersion: '0.8.0',
  })
})

test('fields of the wrong type are absent', () => {
  const odd = {agent_id: 5, generation: '7', protocol: 1.5, server: null, cursor: '18', heartbeat_interval_seconds: '2'}
  expect(readConnectionState(odd)).toEqual({beatIntervalMs: 2000, positionHint: false})
  expect(readConnectionState({})).toEqual({beatIntervalMs: 2000, positionHint: false})
})

test.each([
  [1, 1000],
  [0.5, 500],
  [0.1, 500],
  [60, 2000],
  [0, 2000],
  [-1, 2000],
  [null, 2000],
  [Number.POSITIVE_INFINITY, 2000],
  [Number.NaN, 2000],
])('a beat every %d s is one every %d ms', (seconds, ms) =>
  expect(readConnectionState({heartbeat_interval_seconds: seconds}).beatIntervalMs).toBe(ms),
)

test('a member that looks like a vector is a hint', () => {
  expect(readConnectionState({position: {s: 1}}).positionHint).toBe(true)
  expect(readConnectionState({positions: {}}).positionHint).toBe(true)
  expect(readConnectionState({position: 5}).positionHint).toBe(false)
})
