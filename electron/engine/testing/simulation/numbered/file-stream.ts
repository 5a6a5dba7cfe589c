import {ok, type Result} from '../../../../../shared/base/result.ts'
import type {NumberedSettings} from '../../../../../shared/source/numbered.ts'
import type {ResumeAsk} from '../../../../../shared/source/resume-request.ts'
import type {Ending} from '../../../../../shared/source/source-machine.ts'
import type {Clock} from '../../../clock.ts'
import {fileTransport} from '../../../numbered/file-transport.ts'
import type {NumberedStream} from '../../../numbered/transport.ts'
import {heed, type Mortal} from '../heed.ts'
import type {Asked} from './ask-witness.ts'
import type {NumberedEnd} from './numbered-end.ts'
import {comparePlaces, type Place, readMessage, type Shape} from './read-message.ts'
import type {Numbering} from './server-numbering.ts'
import type {SimulatedFile} from './simulated-files.ts'

interface Way extends NumberedEnd {
  readonly life: Mortal
  readonly clock: Clock
  readonly note: (line: () => string) => void
  readonly file: SimulatedFile
}

type Settings = Pick<NumberedSettings, 'cursorAt' | 'typeAt'>

/** The engine's own reading of a file that only the world has. */
export async function openFileStream(
  way: Way,
  settings: Settings,
  ask: ResumeAsk,
  signal: AbortSignal,
): Promise<Result<NumberedStream, Ending>> {
  const {asks, file, server, life, clock, plan} = way
  const stream = asks.opens(ask)
  const from = {numbering: server.numbering()}
  const files = file.port({
    reads(numbering) {
      from.numbering = numbering
    },
    leftUnread(bytes) {
      if (bytes > 0 && !stream.isLook && !signal.aborted && life.alive()) asks.leftUnread(bytes)
    },
  })
  const isAhead = isAheadOf(ask, file.text(), plan)
  const opened = await fileTransport('/stream.jsonl', {over: 'file', ...settings}, clock, files).open(ask, signal)
  const isRefused = !opened.ok && opened.error.kind === 'futureCursor'
  if (!signal.aborted && (opened.ok || isRefused) && isRefused !== (isAhead && ask.future === 'fail'))
    asks.misjudged(ask)
  if (opened.ok) {
    heed(life, signal, stream.over)
    return ok(watched(way, stream, from, opened.value, signal))
  }
  stream.over()
  asks.refused(isRefused ? 'future_cursor' : undefined)
  return opened
}

/** Nothing in the file is as far on as the cursor. Half a line says nothing yet. */
function isAheadOf({from}: ResumeAsk, text: string, shape: Shape): boolean {
  if (from === undefined) return false
  const held: Place = {generation: Number(from.generation), sequence: from.sequence}
  return !text
    .split('\n')
    .slice(0, -1)
    .map((line) => readMessage(line, shape))
    .some((message) => message.kind === 'numbered' && comparePlaces(message.at, held) >= 0)
}

async function* watched(
  {asks, log, note}: Way,
  stream: Asked,
  from: {readonly numbering: Numbering},
  arrivals: NumberedStream,
  signal: AbortSignal,
): NumberedStream {
  const receive = log.open(stream.isLook)
  try {
    for (;;) {
      if (!signal.aborted) asks.pulls()
      const next = await arrivals.next()
      if (next.done) return next.value
      for (const arrival of next.value) {
        const text = arrival.kind === 'message' ? arrival.text : ''
        note(() => `read ${text.slice(0, 200)}`)
        const {message, isFirst} = receive(text, from.numbering)
        if (message.kind === 'numbered' && isFirst) asks.brought(message.at)
      }
      yield next.value
    }
  } finally {
    await arrivals.return({kind: 'closed'})
    stream.over()
  }
}
