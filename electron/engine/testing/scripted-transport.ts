import {err, ok, type Result} from '../../../shared/base/result.ts'
import type {Arrival} from '../../../shared/frames/raw-frame.ts'
import type {Refusal} from '../../../shared/source/refusal.ts'
import type {BeatRequest, OpenRequest, OpenStream, StreamEnd, SwitchTransport} from '../switch/transport.ts'
import {createSseReader} from '../wire/sse-reader.ts'

/** One stream that the test writes and ends by hand. */
export interface ScriptedStream {
  readonly request: OpenRequest
  readonly write: (text: string) => void
  readonly end: (end?: StreamEnd) => void
  readonly ended: () => boolean
}

export interface ScriptedTransport extends SwitchTransport {
  readonly streams: readonly ScriptedStream[]
  readonly beats: readonly BeatRequest[]
  /** Answers the coming opens, first in first out; afterwards every open succeeds. */
  readonly refuseOpens: (...refusals: readonly Refusal[]) => void
  /** Answers every beat from now on. */
  readonly answerBeats: (answer: Result<undefined, Refusal>) => void
}

/** A server without a socket: what the client asks is kept, what it hears the test decides. */
export function createScriptedTransport(): ScriptedTransport {
  const streams: ScriptedStream[] = []
  const beats: BeatRequest[] = []
  const refusals: Refusal[] = []
  let beatAnswer: Result<undefined, Refusal> = ok(undefined)
  return {
    streams,
    beats,
    refuseOpens: (...more) => void refusals.push(...more),
    answerBeats: (answer) => {
      beatAnswer = answer
    },
    open: async (request, signal) => {
      const refusal = refusals.shift()
      if (refusal !== undefined) return err(refusal)
      const {stream, batches} = scriptedStream(request, signal)
      streams.push(stream)
      return ok({batches} satisfies OpenStream)
    },
    beat: async (request) => {
      beats.push(request)
      return beatAnswer
    },
  }
}

function scriptedStream(request: OpenRequest, signal: AbortSignal) {
  const reader = createSseReader()
  const pieces: (readonly Arrival[])[] = []
  let over: StreamEnd | undefined
  let wake = (): void => {}
  const end = (how: StreamEnd = {kind: 'closed'}): void => {
    over ??= how
    wake()
  }
  signal.addEventListener('abort', () => end({kind: 'dropped', code: 'ABORTED'}), {once: true})
  async function* read(): OpenStream['batches'] {
    for (;;) {
      const piece = pieces.shift()
      if (piece !== undefined) yield piece
      else if (over !== undefined) return over
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  const write = (text: string): void => {
    pieces.push(reader.feed(new TextEncoder().encode(text)))
    wake()
  }
  return {stream: {request, write, end, ended: () => over !== undefined}, batches: read()}
}
