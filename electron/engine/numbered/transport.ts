import type {Result} from '../../../shared/base/result.ts'
import type {NumberedSettings} from '../../../shared/source/numbered.ts'
import type {ResumeAsk} from '../../../shared/source/resume-request.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {StreamEnd} from '../switch/transport.ts'

/** One message as cut from the wire, or that it grew over the cap and was dropped up to its end. */
export type MessageArrival =
  | {
      readonly kind: 'message'
      readonly text: string
      /** Of a server-sent event, its own. */
      readonly id?: string
      readonly bytes: Uint8Array
      readonly cuts: readonly number[]
    }
  | {readonly kind: 'tooLong'; readonly capBytes: number}

/** Not pulling is backpressure: what is not pulled stays in the socket or the file, and at last in the server. Never throws. */
export type NumberedStream = AsyncGenerator<readonly MessageArrival[], StreamEnd, undefined>

/** How a numbered stream is reached. The signal ends the open and the stream that came of it. */
export interface NumberedTransport {
  readonly open: (ask: ResumeAsk, signal: AbortSignal) => Promise<Result<NumberedStream, Ending>>
}

export type OpenNumbered = (settings: Pick<NumberedSettings, 'from' | 'cursorAt' | 'typeAt'>) => NumberedTransport
