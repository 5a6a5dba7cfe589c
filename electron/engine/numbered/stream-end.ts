import {errorCode} from '../switch/http-request.ts'
import type {StreamEnd} from '../switch/transport.ts'

/** How a stream ended: without a cause it was closed; what we gave up ourselves is no break of the server's. */
export function endOf(cause: unknown, signal: AbortSignal): StreamEnd {
  if (cause === undefined) return {kind: 'closed'}
  return {kind: 'dropped', code: signal.aborted ? 'ABORTED' : errorCode(cause)}
}
