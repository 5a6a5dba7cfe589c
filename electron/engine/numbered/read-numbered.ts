import type {EpochMs} from '../../../shared/base/units.ts'
import {pairText} from '../../../shared/cursor/cursor.ts'
import type {Lane} from '../../../shared/cursor/lane.ts'
import {problemSummary} from '../../../shared/frames/describe-problem.ts'
import type {SequencedFrame} from '../../../shared/frames/frame.ts'
import {numberedFrame} from '../../../shared/frames/numbered-frame.ts'
import {
  classifyNumbered,
  type NumberedMessage,
  numberedSummary,
  refusalIn,
} from '../../../shared/frames/numbered-message.ts'
import {clip} from '../../../shared/frames/summary.ts'
import type {FrameId, JournaledFrame} from '../../../shared/history/fact.ts'
import type {NumberedShape} from '../../../shared/source/numbered.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {Entry} from '../cursor-source/journal.ts'
import {isReset} from './new-numbering.ts'
import type {MessageArrival} from './transport.ts'

/** What one message of a connection comes to. */
export type Taken =
  | {readonly kind: 'entry'; readonly entry: Entry; readonly refused?: Ending}
  /** The first number of the connection is below what is held: nothing behind it may be read before the user decided. */
  | {readonly kind: 'reset'; readonly journaled: JournaledFrame; readonly frame: SequencedFrame}

export interface Receipt {
  readonly id: FrameId
  readonly source: SourceId
  readonly at: EpochMs
}

/** Takes the messages of one connection, in order. */
export interface NumberedReader {
  readonly take: (arrival: MessageArrival, receipt: Receipt) => Taken
}

/** @param lane - where the stream stood when the connection was opened */
export function createNumberedReader(shape: NumberedShape, lane: Lane): NumberedReader {
  let numbered = false
  return {
    take(arrival, receipt) {
      const base = baseOf(arrival, receipt)
      const message: NumberedMessage =
        arrival.kind === 'message'
          ? classifyNumbered(arrival.text, shape, arrival.id)
          : {kind: 'malformed', problem: {kind: 'tooLong', capBytes: arrival.capBytes}}
      if (message.kind === 'malformed') {
        const {problem} = message
        const journaled: JournaledFrame = {
          ...base,
          kind: 'malformed',
          event: '',
          summary: problemSummary(problem),
          problem,
        }
        return {kind: 'entry', entry: {kind: 'malformed', journaled, alongside: [], problem}}
      }
      const newConnection = !numbered && message.kind === 'numbered'
      numbered ||= newConnection
      const context = newConnection ? {newConnection} : {}
      const frame = numberedFrame(message, context)
      const journaled: JournaledFrame = {
        ...base,
        kind: kindOf(message),
        event: message.event,
        summary: summaryOf(message),
        ...(newConnection ? {context} : {}),
      }
      if (frame.kind === 'sequenced' && newConnection && isReset(lane, frame)) return {kind: 'reset', journaled, frame}
      const refused = message.kind === 'control' && !numbered ? refusalOf(message) : undefined
      const entry: Entry = {kind: 'understood', journaled, alongside: [], frame}
      return {kind: 'entry', entry, ...(refused === undefined ? {} : {refused})}
    },
  }
}

/** With its cursor: sequences begin anew with every generation, and a list has many of them. */
function summaryOf(message: Exclude<NumberedMessage, {kind: 'malformed'}>): string {
  const said = numberedSummary(message)
  return message.kind === 'numbered' ? clip(`${pairText(message.cursor)} ${said}`) : said
}

function kindOf(message: Exclude<NumberedMessage, {kind: 'malformed'}>): 'event' | 'unknown' | 'control' {
  if (message.kind === 'control') return 'control'
  return message.known ? 'event' : 'unknown'
}

function refusalOf({data}: Extract<NumberedMessage, {kind: 'control'}>): Ending | undefined {
  const said = refusalIn(data)
  if (said === undefined) return undefined
  return {kind: said.code === 'future_cursor' ? 'futureCursor' : 'resumeRefused', detail: said.message}
}

function baseOf(arrival: MessageArrival, {id, source, at: receivedAt}: Receipt) {
  if (arrival.kind === 'tooLong')
    return {id, source, receivedAt, size: arrival.capBytes, bytes: new Uint8Array(), cuts: []}
  const {bytes, cuts} = arrival
  return {id, source, receivedAt, size: bytes.length, bytes, cuts}
}
