import type {IdForm} from '../cursor/cursor-id.ts'

/** What becomes of us where our cursor is ahead of everything the server knows: we are sent away, or wait until it gets there. */
export type FutureChoice = 'fail' | 'wait'

/** Where a numbered stream comes from, and how it is asked to go on behind a cursor. */
export type NumberedFrom =
  | {
      readonly over: 'socket'
      /** `host:port`, or the path of a local socket. */
      readonly address: string
      /** The first line that is sent, as a template; empty: nothing is sent, and everything comes. */
      readonly resume: string
    }
  /** Read from its beginning and then as it grows. What is not greater than the cursor is left out on our side. */
  | {readonly over: 'file'; readonly path: string}
  | {
      readonly over: 'sse'
      readonly url: string
      /** Parameters as a template. One that names a cursor is left out where none is held. Empty: none. */
      readonly query: string
      /** The header `Last-Event-ID`, as a template; empty: it is not sent. */
      readonly lastEventId: string
    }

/** Members from the outside in, between dots; empty: the message itself has generation and sequence. Or the `id` of a server-sent event. */
export type CursorPlace = string | {readonly id: IdForm}

/** Where things stand in a message. */
export interface NumberedShape {
  readonly over: NumberedFrom['over']
  readonly cursorAt: CursorPlace
  /** Members between dots. Empty: messages tell no type, and each is one that is known. */
  readonly typeAt: string
}

/** A stream of the documented model: cursors {generation, sequence}, ordered, and a server that sends what is strictly greater. */
export interface NumberedSettings {
  readonly kind: 'numbered'
  readonly from: NumberedFrom
  readonly cursorAt: CursorPlace
  readonly typeAt: string
  readonly future: FutureChoice
}

export function shapeOf({from, cursorAt, typeAt}: NumberedSettings): NumberedShape {
  return {over: from.over, cursorAt, typeAt}
}

/** How the demo's own server speaks, wherever it listens. */
export const DEMO_SHAPE: NumberedShape = {over: 'socket', cursorAt: 'cursor', typeAt: 'type'}
