import {isJsonObject, member, parseJson, textOf} from '../../../shared/base/json.ts'
import {present} from '../../../shared/base/present.ts'
import {laneHeld} from '../../../shared/callbacks/settle-cursor.ts'
import {settlementOf} from '../../../shared/callbacks/settlement.ts'
import type {Cursor} from '../../../shared/cursor/cursor.ts'
import {positionOfCursor} from '../../../shared/cursor/cursor-position.ts'
import {admit, take} from '../../../shared/cursor/lane.ts'
import {isDense} from '../../../shared/frames/dense-json.ts'
import type {SequencedFrame} from '../../../shared/frames/frame.ts'
import type {JournaledFrame} from '../../../shared/history/fact.ts'
import {NOWHERE} from '../../../shared/position/position.ts'
import type {NumberedShape} from '../../../shared/source/numbered.ts'
import {acknowledgeRun} from '../acknowledge.ts'
import {messageOfEvent} from '../numbered/message-of-event.ts'
import {messagesOf} from '../numbered/read-lines.ts'
import {createNumberedReader, type NumberedReader} from '../numbered/read-numbered.ts'
import type {MessageArrival} from '../numbered/transport.ts'
import {createLineSplitter} from '../wire/line-splitter.ts'
import {createSseReader} from '../wire/sse-reader.ts'
import {cutBody} from './chunk-bytes.ts'
import {
  countGeneration,
  countLine,
  NOTHING_COUNTED,
  type NumberedEndLine,
  type NumberedFrameLine,
  type NumberedGenerationLine,
  type NumberedLine,
} from './numbered-lines.ts'
import {memoryTarget} from './replay-target.ts'

export interface NumberedReplayOptions {
  readonly shape: NumberedShape
  /** The cursor held before the first byte. */
  readonly start?: Cursor
  /** Sizes in bytes, repeating, in which the file is fed; absent, as it comes. */
  readonly chunks?: readonly number[]
  /** What the user would say where a numbering begins anew, below what is held. Default: keep. */
  readonly onReset?: 'keep' | 'take'
}

/**
 * Sends a stored numbered stream through what a live source runs: reader, classification, admission, acknowledgement, store. A
 * line for every message, and the end line. A source would be held where a numbering begins anew; a file cannot wait.
 */
export async function* replayNumbered(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: NumberedReplayOptions,
): AsyncGenerator<NumberedLine, void, undefined> {
  const replay = await createNumberedReplay(options)
  for await (const stored of storedMessages(body, options)) yield await replay.frame(stored)
  yield replay.end()
}

interface StoredMessage {
  readonly conn?: string
  readonly arrival: MessageArrival
}

async function* storedMessages(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  {shape, chunks}: NumberedReplayOptions,
): AsyncGenerator<StoredMessage, void, undefined> {
  if (shape.over === 'sse') {
    const reader = createSseReader()
    for await (const chunk of cutBody(body, chunks))
      for (const arrival of reader.feed(chunk)) yield {arrival: messageOfEvent(arrival)}
    return
  }
  const splitter = createLineSplitter()
  for await (const chunk of cutBody(body, chunks)) yield* splitter.feed(chunk).flatMap(messagesOf).flatMap(fromRecord)
  yield* splitter.end().flatMap(messagesOf).flatMap(fromRecord)
}

/** A line as it was sent, or a record `{t, dir, conn, line}` around one, of which only what came in counts. */
function fromRecord(arrival: MessageArrival): readonly StoredMessage[] {
  const mayBe = arrival.kind === 'message' && arrival.text.includes('"dir"') && !isDense(arrival.text)
  const record = mayBe ? parseJson(arrival.text) : undefined
  if (!isJsonObject(record)) return [{arrival}]
  const [dir, text, conn] = [textOf(record, 'dir'), textOf(record, 'line'), member(record, 'conn')]
  if (arrival.kind !== 'message' || text === undefined || (dir !== 'in' && dir !== 'out')) return [{arrival}]
  if (dir === 'out' || text.trim() === '') return []
  const named = typeof conn === 'string' || typeof conn === 'number' ? {conn: String(conn)} : {}
  return [{...named, arrival: {...arrival, text}}]
}

interface NumberedReplay {
  readonly frame: (stored: StoredMessage) => Promise<NumberedFrameLine>
  readonly end: () => NumberedEndLine
}

async function createNumberedReplay({shape, start, onReset = 'keep'}: NumberedReplayOptions): Promise<NumberedReplay> {
  const target = await memoryTarget(start === undefined ? NOWHERE : positionOfCursor(start))
  const {source, nextFrameId, clock} = target
  const readers = new Map<string | undefined, NumberedReader>()
  let {held} = target
  let counts = NOTHING_COUNTED
  const generations: NumberedGenerationLine[] = []

  const readerOf = (conn: string | undefined): NumberedReader => {
    const reader = readers.get(conn) ?? createNumberedReader(shape, laneHeld(held))
    readers.set(conn, reader)
    return reader
  }
  const numbered = async (journaled: JournaledFrame, frame: SequencedFrame) => {
    const {cursor, newConnection} = frame
    const {generation, sequence} = cursor
    const lane = laneHeld(held)
    const {decision} = admit(lane, cursor, newConnection).verdict
    const place = {generation, sequence, decision}
    if (decision === 'numberingReset' && onReset === 'keep') return {outcome: 'stale', ...place} as const
    const isTaken = decision === 'numberingReset'
    const settled = isTaken ? ({...frame, taken: true} as const) : frame
    const {decision: _, ...unseen} = (isTaken ? take(lane, cursor) : admit(lane, cursor, newConnection)).verdict
    const {outcome} = settlementOf(held, settled)
    const done = await acknowledgeRun(held, [{journaled, frame: settled, attempt: 1, fromJournal: false}], target)
    held = done.held
    return {outcome: outcome as NumberedFrameLine['outcome'], ...place, ...unseen, ...present({taken: settled.taken})}
  }
  return {
    async frame({conn, arrival}) {
      const taken = readerOf(conn).take(arrival, {id: nextFrameId(), source, at: clock.now()})
      const base = {fact: 'frame', n: counts.frames + 1, ...present({conn})} as const
      const line = {...base, ...(await judged(taken, numbered)), ...present({cursor: laneHeld(held).held})}
      counts = countLine(counts, line)
      countGeneration(generations, line)
      return line
    },
    end: () => ({fact: 'end', ...present({cursor: laneHeld(held).held}), ...counts, generations}),
  }
}

type Judged = Omit<NumberedFrameLine, 'fact' | 'n' | 'conn' | 'cursor' | 'event'>

async function judged(
  taken: ReturnType<NumberedReader['take']>,
  numbered: (journaled: JournaledFrame, frame: SequencedFrame) => Promise<Judged>,
): Promise<Judged & Pick<NumberedFrameLine, 'event'>> {
  if (taken.kind === 'reset') return {event: taken.journaled.event, ...(await numbered(taken.journaled, taken.frame))}
  const {entry} = taken
  const {event} = entry.journaled
  if (entry.kind === 'malformed') return {event, outcome: 'malformed', problem: entry.problem.kind}
  const {frame} = entry
  return frame.kind === 'sequenced' ? {event, ...(await numbered(entry.journaled, frame))} : {event, outcome: 'control'}
}
