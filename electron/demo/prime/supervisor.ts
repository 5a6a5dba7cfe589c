import {assertNever} from '../../../shared/base/assert-never.ts'
import {type ConnectionId, type DaemonState, later, newSupervisor, type Output, toAll} from './daemon-state.ts'
import type {SupervisorAction} from './scenario.ts'
import {closeSession, giveWorker, heartbeatsChanged} from './session-life.ts'
import {lineOf, protocolOf, SERVER_CAPABILITIES} from './wire.ts'

export function actAsSupervisor(state: DaemonState, now: number, action: SupervisorAction): readonly Output[] {
  switch (action.kind) {
    case 'supervisor':
      return succeedSupervisor(state, now, action)
    case 'shutdown':
      return shutDown(state, now, action.downMs)
    case 'heartbeats':
      return heartbeatsChanged(state)
    case 'version':
      state.version = action.version
      return []
    default:
      return assertNever(action)
  }
}

export function connect(state: DaemonState, now: number, id: ConnectionId): readonly Output[] {
  state.connections.set(id, {
    id,
    clientId: state.ids.short(),
    attached: new Set(),
    capabilities: [],
    lost: new Map(),
  })
  const {hello} = state.setup.scenario
  const waits = state.greetsAt > now
  const at = Math.max(now + (hello?.delayMs ?? 0) / (state.setup.speed ?? 1), state.greetsAt)
  const first = waits || hello?.heartbeatsFirst === true
  const greet = (then: number): readonly Output[] => [...(first ? early(id) : []), ...greeting(state, then, id)]
  if (at <= now) return greet(now)
  later(state, at, greet)
  return []
}

function early(connection: ConnectionId): readonly Output[] {
  return [{kind: 'write', connection, text: lineOf({type: 'heartbeats_changed'})}]
}

function greeting(state: DaemonState, now: number, id: ConnectionId): readonly Output[] {
  const connection = state.connections.get(id)
  if (connection === undefined) return []
  state.record.push({kind: 'greeted', connection: id, at: now, version: state.version})
  return [{kind: 'write', connection: id, text: lineOf(hello(state, connection.clientId))}]
}

/** The fields of a real one, in its order. */
function hello({setup: {socketPath}, supervisor, version}: DaemonState, clientId: string) {
  return {
    type: 'daemon_hello',
    socketPath,
    protocol: protocolOf(version),
    schemaId: `protocol-${version}-schema-22-4d515169dc6b`,
    schemaRevision: 22,
    appVersion: '0.8.0',
    runtime: {
      buildId: 'demo',
      executablePath: '/usr/local/bin/node',
      entrypointPath: '/opt/prime-agent/packages/coding-agent/src/cli.ts',
    },
    supervisorGeneration: supervisor.generation,
    supervisorOwnerToken: supervisor.token,
    supervisorPid: supervisor.pid,
    supervisorProcessStartId: `proc:${supervisor.pid * 7}`,
    supervisorSocketPath: socketPath,
    clientId,
    serverCapabilities: SERVER_CAPABILITIES,
  }
}

export function disconnect(state: DaemonState, now: number, connection: ConnectionId, by: 'client' | 'daemon'): void {
  if (!state.connections.delete(connection)) return
  state.cuts.delete(connection)
  state.record.push({kind: 'closed', connection, at: now, by})
}

export function hangUp(state: DaemonState, now: number): readonly Output[] {
  return [...state.connections.keys()].map((connection) => {
    disconnect(state, now, connection, 'daemon')
    return {kind: 'end', connection}
  })
}

type Succession = Extract<SupervisorAction, {kind: 'supervisor'}>

/** Workers, sessions and numbers carry on without the public process. */
function succeedSupervisor(state: DaemonState, now: number, {end, downMs, helloMs}: Succession): readonly Output[] {
  const said = end === 'update' ? toAll(state, lineOf({type: 'daemon_closing', reason: 'update'})) : []
  const outputs = [...said, ...goDown(state, now, end === 'killed')]
  comeBack(state, now, {downMs, helloMs})
  return outputs
}

function shutDown(state: DaemonState, now: number, downMs: number | undefined): readonly Output[] {
  const said = toAll(state, lineOf({type: 'daemon_closing', reason: 'shutdown'}))
  // Seen of a real one: the daemon says shutdown, its sessions say killed.
  const ends = state.sessions.flatMap((session) => closeSession(state, now, session, 'killed'))
  const outputs = [...said, ...ends, ...goDown(state, now, false)]
  if (downMs !== undefined) comeBack(state, now, {downMs, helloMs: 0})
  return outputs
}

function goDown(state: DaemonState, now: number, stale: boolean): readonly Output[] {
  state.listening = false
  return [...hangUp(state, now), {kind: 'unlisten', stale}]
}

function comeBack(
  state: DaemonState,
  now: number,
  {downMs, helloMs}: {readonly downMs: number; readonly helloMs: number},
): void {
  const speed = state.setup.speed ?? 1
  const at = now + downMs / speed
  later(state, at, (then) => {
    state.supervisor = newSupervisor(state.ids)
    state.listening = true
    state.greetsAt = at + helloMs / speed
    for (const session of state.ended) giveWorker(state, then, session)
    state.sessions = [...state.sessions, ...state.ended]
    state.ended = []
    return [{kind: 'listen'}]
  })
}
