import type {JsonObject} from '../base/json.ts'
import type {Cursor} from '../cursor/cursor.ts'
import type {IdForm} from '../cursor/cursor-id.ts'
import type {Position, PositionUpdate, Sequence} from '../position/position.ts'
import type {PrimeProblem} from './prime-message.ts'

/** A frame as understood. What the server decided (such as `addressed`) stays in `data`, as sent. */
export type Frame = SwitchFrame | CursorFrame

/** Of a stream whose position is a vector. */
export type SwitchFrame = EventFrame | GapFrame | UnknownFrame | ControlFrame

/** Of a stream whose position is a cursor {generation, sequence}. */
export type CursorFrame = SequencedFrame | SnapshotFrame | ControlFrame

interface Understood {
  readonly event: string
  readonly data: JsonObject
}

/** Goes to the callback; then its update moves the position. */
export interface EventFrame extends Understood {
  readonly kind: 'event'
  readonly type: string
  readonly update: PositionUpdate
}

/** A loss declared by the server. Its callback runs before the replacement. */
export interface GapFrame extends Understood {
  readonly kind: 'gap'
  readonly said: GapNotice
  readonly update: PositionUpdate
}

/** No readable type: discarded on purpose, after those handlers that ask for such frames. Its valid update still moves the position. */
export interface UnknownFrame extends Understood {
  readonly kind: 'unknown'
  readonly update: PositionUpdate
}

/** About the connection, not the conversation: moves nothing, calls nothing. */
export interface ControlFrame extends Understood {
  readonly kind: 'control'
}

/** An event with a cursor {generation, sequence} of its own. What its number means follows from the cursor held. */
export interface SequencedFrame extends Understood {
  readonly kind: 'sequenced'
  readonly cursor: Cursor
  /** Its type is one that is known. Others are discarded, after those handlers that ask for such, and take their number all the same. */
  readonly known: boolean
  /** The first cursor since its connection was opened. */
  readonly newConnection: boolean
  /** The user takes the numbering that it begins: it is a baseline by the user's word. */
  readonly taken?: true
}

/** A baseline: the whole state up to its cursor. It is adopted, and is never an event seen. */
export interface SnapshotFrame extends Understood {
  readonly kind: 'snapshot'
  readonly cursor: Cursor
  /** As sent: `attach`, `replacement`, `resync`. */
  readonly purpose: string
  readonly newConnection: boolean
  /** What the server said of the replay, word for word. */
  readonly said?: string
}

/** A gap's fields of the right type. The others are dropped, never coerced; what was not sent is absent. */
export interface GapNotice {
  readonly from?: Sequence
  readonly resumedAt?: Sequence
  readonly position?: Position
  readonly rooms?: readonly string[]
  readonly allRooms?: boolean
  readonly reason?: string
}

/** What the bytes of a frame alone do not tell: it stands in frames before it. Kept while the frame waits to be handled. */
export interface FrameContext {
  readonly newConnection?: boolean
  /** Of the end of a snapshot, as its beginning said. */
  readonly purpose?: string
  /** What the server said of the replay, word for word. */
  readonly said?: string
}

/** Why a frame was refused before any callback. The position stays. */
export type FrameProblem =
  | {readonly kind: 'badPosition'; readonly field: 'position' | 'id'}
  /** A cursor {generation, sequence} is there and is none. `at` is where it stands; empty: in the message itself. */
  | {readonly kind: 'badCursor'; readonly at: string}
  /** The `id` of an event is there, and is no cursor in the form that was chosen. */
  | {readonly kind: 'badCursorId'; readonly form: IdForm; readonly id: string}
  /** A gap with an invalid field. What it validly said is kept for the ledger. */
  | {readonly kind: 'badGap'; readonly field: 'resumed_at' | 'resumed_position'; readonly said: GapNotice}
  | PrimeProblem

/** A valid vector on the wire is remembered for ever: from then on a bare number moves nothing. */
export function bringsVector(update: PositionUpdate): boolean {
  return update.kind === 'progress' || update.kind === 'replacement'
}
