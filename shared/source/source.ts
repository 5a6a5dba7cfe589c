import type {Brand} from '../base/brand.ts'
import type {EpochMs} from '../base/units.ts'
import type {Handler} from '../handlers/handler.ts'
import type {SessionKey} from '../sessions/session-key.ts'
import type {Supervisor} from '../sessions/supervisor.ts'
import {DEMO_SHAPE, type NumberedSettings, type NumberedShape, shapeOf} from './numbered.ts'

/** Names one watched connection for ever: cursors and history hang on it. */
export type SourceId = Brand<string, 'SourceId'>

/**
 * Whose token a Switch source uses. `own`: the monitor is registered as an agent of its own and nothing it does touches
 * another. `agent`: the watched agent's token, with the side effects of the Switch note, section 2.
 */
export type WatchAs = 'own' | 'agent'

/** Where a source begins that holds no position yet. `head`: only what comes after now. `retained`: all the server still holds. */
export type StartFrom = 'head' | 'retained'

export type SourceSettings =
  | {
      readonly kind: 'switch'
      /** The agent bridge, without a trailing slash. */
      readonly url: string
      readonly agentId: string
      readonly watchAs: WatchAs
      readonly startFrom: StartFrom
    }
  /** A resident session of Prime Agent's daemon on this machine. One source a session, over all of its activations. */
  | ({
      readonly kind: 'prime'
      /** The daemon's socket; the path of the default one is not the same on every machine, so it is kept. */
      readonly socket: string
    } & SessionKey) // the durable identity: activeSessionId and generation change under it
  | NumberedSettings
  /** The built-in demo server; its address is known only once it runs. */
  | {readonly kind: 'demo'; readonly scenario: string}
  /** A stored stream that was replayed into this profile. There is no server to open. */
  | {readonly kind: 'recording'; readonly file: string}

/** A session of a daemon, by the socket of the one and what names the other. */
export interface WatchedSession extends SessionKey {
  readonly socket: string
}

export interface SourceRecord {
  readonly id: SourceId
  readonly name: string
  readonly settings: SourceSettings
  /** The id this monitor tells the server, one per source and never a session's. Changed only by the user's choice, or where the server says that it belongs to another agent. */
  readonly connectionId: string
  readonly addedAt: EpochMs
  /** The user paused it: it is not opened at start-up. */
  readonly paused: boolean
  /** What the user lets happen for its frames, in this order. Absent: nothing. */
  readonly handlers?: readonly Handler[]
  /** Of a Prime session: whom its daemon last answered by. It outlives the history, so that another one is known as that. */
  readonly supervisor?: Supervisor
}

/** Scenarios of the demo's daemon, among all scenarios. */
export const DAEMON_SCENARIO = 'prime:'

/** Scenarios of the demo's numbered server, among all scenarios. */
export const NUMBERED_SCENARIO = 'numbered:'

/** What a source's server speaks: everything that is understood again from stored bytes must be understood by the same rules. */
export type Wire = 'switch' | 'prime' | 'numbered'

export function wireOf(settings: SourceSettings): Wire {
  if (settings.kind === 'prime' || settings.kind === 'numbered') return settings.kind
  if (settings.kind !== 'demo') return 'switch'
  if (settings.scenario.startsWith(NUMBERED_SCENARIO)) return 'numbered'
  return settings.scenario.startsWith(DAEMON_SCENARIO) ? 'prime' : 'switch'
}

/** The name of a demo scenario among those of its own kind of server. */
export function scenarioName(scenario: string): string {
  const prefix = [NUMBERED_SCENARIO, DAEMON_SCENARIO].find((one) => scenario.startsWith(one)) ?? ''
  return scenario.slice(prefix.length)
}

/** Where a numbered source's messages have their cursor; `undefined`: it is none. */
export function numberedShapeOf(settings: SourceSettings): NumberedShape | undefined {
  if (settings.kind === 'numbered') return shapeOf(settings)
  return wireOf(settings) === 'numbered' ? DEMO_SHAPE : undefined
}
