import {HISTORY_TEXT_LENGTH, type HistoryView} from '../../../shared/contract/contract.ts'
import {type Cursor, compareCursors} from '../../../shared/cursor/cursor.ts'
import {problemSummary} from '../../../shared/frames/describe-problem.ts'
import {classifyNumbered, numberedSummary, refusalIn} from '../../../shared/frames/numbered-message.ts'
import {type NumberedSettings, shapeOf} from '../../../shared/source/numbered.ts'
import type {Clock} from '../clock.ts'
import type {MessageArrival, NumberedStream, OpenNumbered} from './transport.ts'

export interface HistoryDeps {
  readonly settings: NumberedSettings
  readonly open: OpenNumbered
  readonly clock: Clock
}

type ReadView = Extract<HistoryView, {kind: 'read'}>
type Message = ReadView['messages'][number]

/** A server sends what it retains at once: after so long without a byte, in ms, there is no more of it. The first may take longer. */
const QUIET_MS = 1_000
const FIRST_MS = 4_000
/** And so long at most, however much still comes. */
const LATE_MS = 15_000

/**
 * Reads what a server sends from a cursor of the user's own, over a connection of its own. A cursor that is ahead is always an
 * error here. Nothing is stored, and the source's own cursor is neither used nor moved.
 */
export async function readHistory(
  {settings, open, clock}: HistoryDeps,
  from: Cursor | undefined,
  limit: number,
): Promise<HistoryView> {
  const own = new AbortController()
  try {
    const ask = {...(from === undefined ? {} : {from}), future: 'fail'} as const
    const opened = await open(settings).open(ask, own.signal)
    if (!opened.ok) return {kind: 'refused', because: opened.error}
    return await readView(opened.value, {settings, from, limit, clock, own})
  } finally {
    own.abort()
  }
}

interface Reading {
  readonly settings: NumberedSettings
  readonly from: Cursor | undefined
  readonly limit: number
  readonly clock: Clock
  readonly own: AbortController
}

async function readView(stream: NumberedStream, reading: Reading): Promise<HistoryView> {
  const {limit, clock, own} = reading
  const messages: Message[] = []
  const late = clock.monotonic() + LATE_MS
  for (;;) {
    const patience = new AbortController()
    const patienceMs = messages.length === 0 ? FIRST_MS : QUIET_MS
    const quiet = clock.wait(Math.min(patienceMs, Math.max(0, late - clock.monotonic())), patience.signal)
    const next = await Promise.race([stream.next(), quiet])
    patience.abort()
    if (next === undefined) return {kind: 'read', messages, end: clock.monotonic() < late ? 'quiet' : 'late'}
    if (next.done) return {kind: 'read', messages, end: 'ended'}
    for (const arrival of next.value) {
      const refused = messages.length === 0 ? refusedBy(arrival, reading) : undefined
      if (refused !== undefined) return refused
      messages.push(messageOf(arrival, reading))
      if (messages.length < limit) continue
      own.abort()
      return {kind: 'read', messages, end: 'limit'}
    }
    if (clock.monotonic() >= late) return {kind: 'read', messages, end: 'late'}
  }
}

/** A server of lines says it on the stream. */
function refusedBy(arrival: MessageArrival, {settings}: Reading): HistoryView | undefined {
  const message = arrival.kind === 'message' ? classifyNumbered(arrival.text, shapeOf(settings), arrival.id) : undefined
  const said = message?.kind === 'control' ? refusalIn(message.data) : undefined
  if (said === undefined) return undefined
  const kind = said.code === 'future_cursor' ? 'futureCursor' : 'resumeRefused'
  return {kind: 'refused', because: {kind, detail: said.message}}
}

function messageOf(arrival: MessageArrival, {settings, from}: Reading): Message {
  if (arrival.kind === 'tooLong') {
    const problem = {kind: 'tooLong', capBytes: arrival.capBytes} as const
    const summary = problemSummary(problem)
    return {event: '', summary, text: '', size: arrival.capBytes, notGreater: false, problem}
  }
  const {text, id, bytes} = arrival
  const message = classifyNumbered(text, shapeOf(settings), id)
  const base = {text: text.slice(0, HISTORY_TEXT_LENGTH), size: bytes.length}
  switch (message.kind) {
    case 'malformed':
      return {...base, event: '', summary: problemSummary(message.problem), notGreater: false, problem: message.problem}
    case 'control':
      return {...base, event: message.event, summary: numberedSummary(message), notGreater: false}
    case 'numbered': {
      const {cursor, event} = message
      const order = from === undefined ? 'after' : compareCursors(cursor, from)
      const notGreater = order === 'equal' || order === 'before'
      return {...base, cursor, event, summary: numberedSummary(message), notGreater}
    }
  }
}
