import {isJsonObject, type JsonObject, parseJson} from '../../../../shared/base/json.ts'
import {createDaemon, type Daemon} from '../daemon.ts'
import type {ConnectionId, Output} from '../daemon-state.ts'
import type {PrimeAction, PrimeScenario} from '../scenario.ts'
import {MAIN_SESSION} from '../script.ts'
import {PROTOCOL_NAME, PROTOCOL_VERSION} from '../wire.ts'
import {attachTo} from './plain-client.ts'

export const STILL: PrimeScenario = {name: 'still', about: '', sessions: [MAIN_SESSION], steps: []}

/** A daemon at ms 0, and short ways to speak to it. */
export interface Rig {
  readonly daemon: Daemon
  /** What a connection is sent for a command. */
  readonly ask: (connection: ConnectionId, command: JsonObject, now?: number) => readonly JsonObject[]
  /** Connects, and attaches to the main session. */
  readonly watch: (connection: ConnectionId, chunked?: boolean, more?: JsonObject) => readonly JsonObject[]
  /** Several actions, one after the other. */
  readonly act: (now: number, ...actions: readonly PrimeAction[]) => readonly Output[]
  /** The first row of a list. */
  readonly row: (connection: ConnectionId, now?: number) => JsonObject
}

export function rig(scenario: PrimeScenario = STILL): Rig {
  const daemon = createDaemon({
    scenario,
    socketPath: '/demo/daemon.sock',
    run: 'test',
    epochOffset: 1_796_000_000_000,
    startedAt: 1_796_000_000_000,
  })
  const ask: Rig['ask'] = (connection, command, now = 0) => {
    const protocol = {name: PROTOCOL_NAME, version: PROTOCOL_VERSION}
    const line = JSON.stringify({type: 'command', id: 'x', protocol, command})
    return sentTo(connection, daemon.received(now, connection, line))
  }
  return {
    daemon,
    ask,
    act: (now, ...actions) => actions.flatMap((action) => daemon.act(now, action)),
    watch: (connection, chunked = true, more = {}) => {
      daemon.connected(0, connection)
      return ask(connection, {...attachTo(daemon.namesOf('main').activeSessionId, chunked), ...more})
    },
    row: (connection, now = 0) => {
      const [response] = ask(connection, {type: 'list'}, now)
      const data = response?.['data']
      const rows = isJsonObject(data) && Array.isArray(data['sessions']) ? data['sessions'] : []
      const [first] = rows.filter(isJsonObject)
      if (first === undefined) throw new Error('no session is listed')
      return first
    },
  }
}

/** The messages that a connection is sent by these outputs. */
export function sentTo(connection: ConnectionId, outputs: readonly Output[]): readonly JsonObject[] {
  return outputs
    .flatMap((output) =>
      (output.kind === 'write' || output.kind === 'event') && output.connection === connection
        ? [String(Buffer.from(output.text))]
        : [],
    )
    .join('')
    .split('\n')
    .map(parseJson)
    .filter(isJsonObject)
}
