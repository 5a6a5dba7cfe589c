import {isJsonObject, type JsonObject, parseJson} from '../../../../shared/base/json.ts'
import type {ConnectionId, Output} from '../daemon-state.ts'
import type {PrimeScenario} from '../scenario.ts'
import {createStage, type Stage} from '../stage.ts'
import {PROTOCOL_NAME, PROTOCOL_VERSION} from '../wire.ts'
import {attachTo} from './plain-client.ts'

/** One line that a simulated watcher was sent. */
export interface SeenLine {
  readonly at: number
  readonly connection: ConnectionId
  readonly line: string
  readonly message: JsonObject | undefined
}

export interface WatchOptions {
  readonly scenario: PrimeScenario
  readonly untilMs: number
  readonly chunked?: boolean
  /** Claimed besides. */
  readonly capabilities?: readonly string[]
}

/**
 * Plays a scenario in virtual time to one watcher, who lists at every hello and every `heartbeats_changed`, attaches to
 * whatever is ready, and comes back as soon as it is let in. Its socket is never full.
 */
export function watchScenario(options: WatchOptions): readonly SeenLine[] {
  const {scenario, untilMs} = options
  const stage = createStage({
    scenario,
    socketPath: '/demo/daemon.sock',
    run: scenario.name,
    epochOffset: 1_796_000_000_000,
    startedAt: 1_796_000_000_000,
  })
  const watcher = createWatcher(stage, options)
  watcher.take(0, stage.connected(0, 1))
  for (let now = 0, steps = 0; now <= untilMs; steps++) {
    if (steps > 1_000_000) throw new Error(`${scenario.name} never rests`)
    watcher.take(now, stage.tick(now))
    now = Math.max(now, stage.nextDue(now))
  }
  return watcher.seen
}

function createWatcher(stage: Stage, {chunked = true, capabilities = []}: WatchOptions) {
  const seen: SeenLine[] = []
  let connection: ConnectionId = 1
  let asked = 0
  const known = new Set<unknown>()

  const send = (now: number, command: JsonObject): void => {
    asked += 1
    const protocol = {name: PROTOCOL_NAME, version: PROTOCOL_VERSION}
    take(now, stage.received(now, connection, JSON.stringify({type: 'command', id: `w-${asked}`, protocol, command})))
  }

  const react = (now: number, message: JsonObject): void => {
    const {type, command, success, data} = message
    if (type === 'daemon_hello' || type === 'heartbeats_changed') send(now, {type: 'list'})
    if (type !== 'response' || command !== 'list' || success !== true || !isJsonObject(data)) return
    for (const row of Array.isArray(data['sessions']) ? data['sessions'] : []) {
      if (!isJsonObject(row) || row['workerState'] !== 'ready' || known.has(row['activeSessionId'])) continue
      known.add(row['activeSessionId'])
      const attach = attachTo(String(row['activeSessionId']), chunked)
      send(now, {...attach, capabilities: [...(attach['capabilities'] as readonly string[]), ...capabilities]})
    }
  }

  function take(now: number, outputs: readonly Output[]): void {
    for (const output of outputs) {
      if (output.kind === 'listen') {
        connection += 1
        known.clear()
        take(now, stage.connected(now, connection))
      }
      if ((output.kind !== 'write' && output.kind !== 'event') || output.connection !== connection) continue
      for (const line of String(Buffer.from(output.text)).split('\n').slice(0, -1)) {
        const parsed = parseJson(line)
        const message = isJsonObject(parsed) ? parsed : undefined
        seen.push({at: now, connection, line, message})
        if (message !== undefined) react(now, message)
      }
    }
  }

  return {seen, take}
}

/** `bash_start`, `session_closed`: what a message is, whatever carries it. */
export function kindOf(message: JsonObject | undefined): string {
  const {type, event} = message ?? {}
  return type === 'session_event' && isJsonObject(event) ? String(event['type']) : String(type)
}

export function sequenceOf(message: JsonObject | undefined): number | undefined {
  const meta = message?.['meta']
  const sequence = isJsonObject(meta) ? meta['sequence'] : undefined
  return typeof sequence === 'number' ? sequence : undefined
}
