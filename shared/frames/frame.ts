import type {JsonObject} from '../base/json.ts'
import type {Position, PositionUpdate, Sequence} from '../position/position.ts'

/** A frame as understood. What the server decided (such as `addressed`) stays in `data`, as sent. */
export type Frame = EventFrame | GapFrame | UnknownFrame | ControlFrame

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

/** No readable type: discarded on purpose, without a callback. Its valid update still moves the position. */
export interface UnknownFrame extends Understood {
  readonly kind: 'unknown'
  readonly update: PositionUpdate
}

/** About the connection, not the conversation: moves nothing, calls nothing. */
export interface ControlFrame extends Understood {
  readonly kind: 'control'
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

/** Why a frame was refused before any callback. The position stays. */
export type FrameProblem =
  | {readonly kind: 'notJson'; readonly detail: string}
  | {readonly kind: 'notAnObject'}
  | {readonly kind: 'badPosition'; readonly field: 'position' | 'id'}
  /** A gap with an invalid field. What it validly said is kept for the ledger. */
  | {readonly kind: 'badGap'; readonly field: 'resumed_at' | 'resumed_position'; readonly said: GapNotice}
  | {readonly kind: 'tooLong'; readonly capBytes: number}

/** A valid vector on the wire is remembered for ever: from then on a bare number moves nothing. */
export function bringsVector(update: PositionUpdate): boolean {
  return update.kind === 'progress' || update.kind === 'replacement'
}
