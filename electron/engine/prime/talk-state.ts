import type {EpochMs} from '../../../shared/base/units.ts'
import type {SessionFacts} from '../../../shared/contract/rows.ts'
import type {Lane} from '../../../shared/cursor/lane.ts'
import type {SnapshotBegin} from '../../../shared/frames/prime-message.ts'
import type {ActivityTracker} from '../../../shared/sessions/activity-tracker.ts'
import {compareSessions, learnSession, type SessionKey, sessionKey} from '../../../shared/sessions/session-key.ts'
import type {SessionRow} from '../../../shared/sessions/session-row.ts'
import type {SnapshotAssembly} from '../../../shared/sessions/snapshot-assembly.ts'
import type {StreamingMessage} from '../../../shared/sessions/streaming-text.ts'
import type {Supervisor} from '../../../shared/sessions/supervisor.ts'
import type {PassiveCommand} from './passive-command.ts'

export interface TalkSetup {
  readonly session: SessionKey
  /** The activation that is attached to, or is attached already where another session handed its connection over. */
  readonly activeSessionId: string
  readonly attached: boolean
  readonly lane: Lane
  readonly row?: SessionRow
  /** As the last hello that this source heard named it, by whatever process. */
  readonly supervisor?: Supervisor
  /** When that one was last heard for certain. */
  readonly supervisorHeardAt?: EpochMs
  /** Of the monotonic clock, in ms. */
  readonly now: number
}

/** A snapshot whose parts are coming. */
export interface Assembling {
  readonly begun: SnapshotBegin
  readonly parts: SnapshotAssembly
}

/** What is known in the middle of a conversation. Instants are of the monotonic clock, in ms. */
export interface Talk {
  /** The session that is watched, as far as it was told what names it. */
  session: SessionKey
  activeSessionId: string
  lane: Lane
  facts: SessionFacts
  supervisor: Supervisor | undefined
  readonly supervisorHeardAt: EpochMs | undefined
  readonly activities: ActivityTracker
  readonly message: StreamingMessage
  readonly startedAt: number
  greeted: boolean
  attached: boolean
  /** Commands that are not answered yet. */
  readonly asked: Map<string, {readonly what: PassiveCommand['type']; readonly at: number}>
  readonly assemblies: Map<string, Assembling>
  /** A snapshot must be whole by then. */
  snapshotDue: number | undefined
  /** What the last attach said of the replay. */
  said: string | undefined
  /** A whole snapshot is to be asked for anew. */
  attachAgainAt: number | undefined
  /** Snapshots asked for anew since the last whole one. */
  attachedAgain: number
  heardAt: number
  /** Of the last event or snapshot. */
  activeAt: number
  /** The daemon said that it closes, and why. */
  closing: string | undefined
}

export function talkAt(setup: TalkSetup, activities: ActivityTracker, message: StreamingMessage): Talk {
  const {session, activeSessionId, attached, lane, row, supervisor, now} = setup
  return {
    session: row === undefined ? session : learnSession(session, row),
    activeSessionId,
    lane,
    supervisor,
    supervisorHeardAt: setup.supervisorHeardAt,
    facts: {
      activeSessionId,
      ...(row === undefined ? {} : factsOfRow(row)),
      ...(supervisor === undefined ? {} : {supervisor}),
    },
    activities,
    message,
    startedAt: now,
    greeted: attached,
    attached,
    asked: new Map(),
    assemblies: new Map(),
    snapshotDue: undefined,
    said: undefined,
    attachAgainAt: undefined,
    attachedAgain: 0,
    heardAt: now,
    activeAt: now,
    closing: undefined,
  }
}

/** Who a part of the stream says that it is about, where it says so. */
interface Told {
  readonly session?: string
  readonly sessionFile?: string
}

export function toldKey({session, sessionFile}: Told): SessionKey {
  return sessionKey(session, sessionFile)
}

export function isOfAnother({session}: Talk, told: SessionKey): boolean {
  return compareSessions(session, told) === 'other'
}

/** What is about our session may say more of its name. */
export function hearName(talk: Talk, told: SessionKey): void {
  talk.session = learnSession(talk.session, told)
}

/** What a row tells beside numbers. What it does not tell stays as it was. */
export function factsOfRow({cwd, model, state, attachedClients}: SessionRow): SessionFacts {
  return {
    ...(cwd === undefined ? {} : {cwd}),
    ...(model === undefined ? {} : {model}),
    state,
    ...(attachedClients === undefined ? {} : {attachedClients}),
  }
}
