import type {SQLOutputValue} from 'node:sqlite'
import type {AttemptRow, ConnectionRow, FrameRow, GapRow} from '../../../shared/contract/rows.ts'
import {connectionRowOf} from '../../../shared/contract/to-rows.ts'
import {cutName} from '../../../shared/frames/summary.ts'
import type {ConnectionFact, FrameKind, JournaledFrame} from '../../../shared/history/fact.ts'
import type {FrameId} from '../../../shared/history/frame-id.ts'
import type {SourceId} from '../../../shared/source/source.ts'

/*
 * Rows of the file as the values they were written from. The casts are sound because nothing but this store writes the file,
 * through the same types; a file that was changed from outside fails in the contract's own parsing.
 */

export type Row = Readonly<Record<string, SQLOutputValue>>

/** What `frameRow` reads. `source` and `lane` come as their names. */
export const FRAME_COLUMNS = `frames.id, sources.id AS source, frames.received_at, frames.kind, frames.event,
  coordinates.name AS lane, frames.sequence, frames.summary, frames.size, frames.outcome, frames.attempt,
  frames.settled_at, frames.redelivers, frames.cause, frames.step_count, frames.steps,
  CASE WHEN frames.cause IN ('numberingTaken', 'numberingKept') THEN (
    SELECT json_object('decision', decision, 'held', json(held), 'offered', json(offered))
    FROM numberings WHERE numberings.frame = frames.id) END AS numbering`
/** What `journaledFrame` reads besides. */
export const JOURNAL_COLUMNS = 'frames.cuts, frames.problem, frames.bytes'
export const FRAME_JOINS = `JOIN sources ON sources.key = frames.source
  LEFT JOIN coordinates ON coordinates.id = frames.lane`
export const FRAME_TABLES = `frames ${FRAME_JOINS}`

/** Field by field: a list or a picture asks for thousands of these, and spreads make them twice as slow. */
export function frameRow(row: Row): FrameRow {
  const frame: FrameRow = {
    id: Number(row['id']),
    source: String(row['source']),
    receivedAt: Number(row['received_at']),
    kind: row['kind'] as FrameRow['kind'],
    event: cutName(String(row['event'])),
    summary: String(row['summary']),
    outcome: row['outcome'] as FrameRow['outcome'],
    attempt: Number(row['attempt']),
    size: Number(row['size']),
  }
  if (row['lane'] !== null) frame.lane = fromJson<string>(row['lane'])
  if (row['sequence'] !== null) frame.sequence = Number(row['sequence'])
  if (row['settled_at'] !== null) frame.settledAt = Number(row['settled_at'])
  if (row['redelivers'] !== null) frame.redelivers = Number(row['redelivers'])
  if (row['cause'] === null) return frame
  frame.cause = row['cause'] as NonNullable<FrameRow['cause']>
  frame.steps = fromJson(row['steps'])
  frame.stepCount = Number(row['step_count'])
  if (row['numbering'] !== null) frame.numbering = fromJson(row['numbering'])
  return frame
}

/** A journaled frame with its bytes, from the same columns and those below. */
export function journaledFrame(row: Row): JournaledFrame {
  const shown = frameRow(row)
  return {
    id: shown.id as FrameId,
    source: shown.source as SourceId,
    receivedAt: shown.receivedAt as JournaledFrame['receivedAt'],
    kind: shown.kind satisfies FrameKind,
    event: String(row['event']),
    ...(shown.lane === undefined ? {} : {lane: shown.lane as NonNullable<JournaledFrame['lane']>}),
    ...(shown.sequence === undefined ? {} : {sequence: shown.sequence as NonNullable<JournaledFrame['sequence']>}),
    summary: shown.summary,
    bytes: row['bytes'] as Uint8Array,
    size: shown.size,
    cuts: cutsOf(row),
    ...(row['problem'] === null ? {} : {problem: fromJson(row['problem'])}),
    ...(shown.redelivers === undefined ? {} : {redelivers: shown.redelivers as FrameId}),
  }
}

export function cutsOf(row: Row): readonly number[] {
  return row['cuts'] === null ? [] : fromJson(row['cuts'])
}

export const ATTEMPT_COLUMNS = `attempts.frame, attempts.n, sources.id AS source, attempts.callback, attempts.state,
  attempts.started_at, attempts.ended_at, attempts.error, attempts.runs`
export const ATTEMPT_TABLES = 'attempts JOIN sources ON sources.key = attempts.source'

export function attemptRow(row: Row): AttemptRow {
  return {
    frame: Number(row['frame']),
    source: String(row['source']),
    n: Number(row['n']),
    callback: row['callback'] as AttemptRow['callback'],
    state: row['state'] as AttemptRow['state'],
    startedAt: Number(row['started_at']),
    ...optional('endedAt', row['ended_at']),
    ...(row['error'] === null ? {} : {error: String(row['error'])}),
    ...(row['runs'] === null ? {} : {runs: fromJson(row['runs'])}),
  }
}

export const GAP_COLUMNS = `gaps.frame, sources.id AS source, gaps.received_at, gaps.outcome, gaps.said, gaps.before,
  gaps.after, gaps.cursor_reset, gaps.went_back, gaps.removed, gaps.applied_at, gaps.coordinates_total,
  gap_accounts.said_at, gap_accounts.note`
/** What `wholeGapRow` reads. */
export const WHOLE_GAP_COLUMNS = `${GAP_COLUMNS}, gaps.whole`
export const GAP_TABLES = `gaps JOIN sources ON sources.key = gaps.source
  LEFT JOIN gap_accounts ON gap_accounts.gap = gaps.frame`

export function gapRow(row: Row): GapRow {
  return {
    frame: Number(row['frame']),
    source: String(row['source']),
    receivedAt: Number(row['received_at']),
    outcome: row['outcome'] as GapRow['outcome'],
    said: fromJson(row['said']),
    before: fromJson(row['before']),
    after: fromJson(row['after']),
    ...(row['cursor_reset'] === null ? {} : {cursorReset: row['cursor_reset'] === 1}),
    wentBack: fromJson(row['went_back']),
    removed: fromJson(row['removed']),
    ...optional('appliedAt', row['applied_at']),
    ...optional('coordinatesTotal', row['coordinates_total']),
    ...(row['note'] === null ? {} : {account: {at: Number(row['said_at']), note: String(row['note'])}}),
  }
}

/** What is kept twice where it is large: cut for screens, and whole. */
export type WholePart = Pick<GapRow, 'said' | 'before' | 'after'>

export function wholeGapRow(row: Row): GapRow {
  const {coordinatesTotal, ...gap} = gapRow(row)
  return coordinatesTotal === undefined ? gap : {...gap, ...fromJson<WholePart>(row['whole'])}
}

export const CONNECTION_COLUMNS = 'sources.id AS source, connections.at, connections.state, connections.heartbeat'
export const CONNECTION_TABLES = 'connections JOIN sources ON sources.key = connections.source'

export function connectionFact(row: Row): ConnectionFact {
  return {
    source: row['source'] as SourceId,
    at: Number(row['at']) as ConnectionFact['at'],
    state: fromJson(row['state']),
    heartbeat: row['heartbeat'] as ConnectionFact['heartbeat'],
  }
}

export function connectionRow(row: Row): ConnectionRow {
  return connectionRowOf(connectionFact(row))
}

/** JSON that this store wrote; the caller names what it was made of. */
export function fromJson<Value>(text: SQLOutputValue | undefined): Value {
  return JSON.parse(String(text)) as Value
}

export function optional<Name extends string>(
  name: Name,
  value: SQLOutputValue | undefined,
): {readonly [N in Name]?: number} {
  // A computed name widens to an index signature; it is this one name.
  return (value === null || value === undefined ? {} : {[name]: Number(value)}) as {readonly [N in Name]?: number}
}
