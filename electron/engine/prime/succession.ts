import type {Lane} from '../../../shared/cursor/lane.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {SessionKey} from '../../../shared/sessions/session-key.ts'
import type {Supervisor} from '../../../shared/sessions/supervisor.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {DaemonConnection} from './daemon-connection.ts'

/** A session took another one's place: the activation, its generation and its numbers go on under another name. */
export interface Replacement {
  readonly socket: string
  readonly activeSessionId: string
  /** The session that goes on. */
  readonly by: SessionKey
  /** Where it goes on from. */
  readonly lane: Lane
  readonly name?: string
  /** Who is at the other end of the connection: no hello will say it again. */
  readonly supervisor?: Supervisor
}

export interface Successor {
  /** To be durable together with what said it. */
  readonly changes: readonly Change[]
  /** The source of the new session takes the open connection over, so that nothing in between is lost. */
  readonly start: (connection: DaemonConnection) => void
  /** The session goes on where the user does not want to look. */
  readonly removed?: true
}

export interface Handed {
  readonly activeSessionId: string
  readonly handed: DaemonConnection
  readonly supervisor?: Supervisor
}

/** Sources of sessions that take each other's place. */
export interface Succession {
  readonly plan: (replacement: Replacement) => Successor
  /** The connection that was handed to a source, once. */
  readonly take: (source: SourceId) => Handed | undefined
}
