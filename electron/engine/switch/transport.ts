import type {Result} from '../../../shared/base/result.ts'
import type {Arrival} from '../../../shared/frames/raw-frame.ts'
import type {Refusal} from '../../../shared/source/refusal.ts'

/** Where and as whom. The token is never logged, never stored here. */
export interface SwitchTarget {
  readonly url: string
  readonly agentId: string
  readonly token: string
}

export interface OpenRequest {
  readonly connectionId: string
  /** Resume after this own sequence, or `head`. Goes out as `start_from` and, where a number, as `Last-Event-ID`. */
  readonly from: number | 'head'
  /** The incarnation we still hold, where the server numbers them. */
  readonly expectedGeneration?: number
}

export interface BeatRequest {
  readonly connectionId: string
  /** The acknowledged `s`; never above it. 0 where none is held. */
  readonly cursor: number
  readonly generation?: number
}

/** How an open stream ended: the server's clean end, or the system's word for the break. */
export type StreamEnd = {readonly kind: 'closed'} | {readonly kind: 'dropped'; readonly code: string}

export interface OpenStream {
  /**
   * What one piece of the transport brought, empty where it completed no frame (a keepalive, part of a frame): a batch
   * always means that bytes came. Not pulling is backpressure. Returns how the stream ended; never throws.
   */
  readonly batches: AsyncGenerator<readonly Arrival[], StreamEnd, undefined>
}

/** How a Switch stream is carried: server-sent events over HTTP today. */
export interface SwitchTransport {
  /** The signal ends the open and the stream that came of it. */
  readonly open: (request: OpenRequest, signal: AbortSignal) => Promise<Result<OpenStream, Refusal>>
  /** One heartbeat, given up after 4 s. */
  readonly beat: (request: BeatRequest, signal: AbortSignal) => Promise<Result<undefined, Refusal>>
}
