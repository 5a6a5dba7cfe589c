import {assertNever} from '../../../shared/base/assert-never.ts'
import {gapRowOf, holeRowOf, STEPS_SHOWN, stepTripleOf, wholeGapRowOf} from '../../../shared/contract/to-rows.ts'
import {laneOfGeneration} from '../../../shared/cursor/cursor-position.ts'
import {withoutOutput} from '../../../shared/handlers/handler-run.ts'
import type {Activity} from '../../../shared/history/activity.ts'
import type {Change} from '../../../shared/history/change.ts'
import {countersOf} from '../../../shared/history/counts.ts'
import {
  type Attempt,
  type ConnectionFact,
  countsAsFailure,
  type Gap,
  type Move,
  type Outcome,
} from '../../../shared/history/fact.ts'
import type {GenerationSeen} from '../../../shared/history/generation.ts'
import type {Hole} from '../../../shared/history/hole.ts'
import type {NumberingDecision} from '../../../shared/history/numbering.ts'
import type {SourceRecord} from '../../../shared/source/source.ts'
import type {WholePart} from './read-row.ts'
import {cellAt, NO_LANE, REMOVED} from './roll-up.ts'
import type {OpenSource, WriteBook} from './write-book.ts'
import type {WriteStatements} from './write-statements.ts'

export interface Writing {
  readonly book: WriteBook
  readonly run: WriteStatements
}

type Journaled = Extract<Change, {kind: 'frameJournaled'}>
type Settled = Extract<Change, {kind: 'frameSettled'}>
type OfSource = Extract<
  Change,
  {kind: 'sourceAdded' | 'sourceChanged' | 'supervisorMet' | 'sourceRemoved' | 'vectorSeen'}
>
type GenerationEnd = Extract<Change, {kind: 'generationRetired' | 'generationResumed'}>

/** A move later than this after its frame has a row of its own, so that a range of time finds it. In ms. */
export const MOVES_WITHIN_MS = 1_000

/** Writes one list, in order. Throws where something does not fit; the caller's transaction then undoes all of it. */
export function applyChanges(changes: readonly Change[], writing: Writing): void {
  let carried: Move | undefined
  for (const [index, change] of changes.entries()) {
    if (change.kind === 'frameJournaled') {
      carried = moveToCarry(changes, index, change)
      journalFrame(change, carried, writing)
    } else if (change.kind === 'cursorMoved') moveCursor(change.move, change.move === carried, writing)
    else applyChange(change, writing)
  }
}

function applyChange(change: Exclude<Change, {kind: 'frameJournaled' | 'cursorMoved'}>, writing: Writing): void {
  switch (change.kind) {
    case 'sourceAdded':
    case 'sourceChanged':
    case 'supervisorMet':
    case 'sourceRemoved':
    case 'vectorSeen':
      noteSource(change, writing)
      break
    case 'generationRetired':
    case 'generationResumed':
      endGeneration(change, writing)
      break
    case 'generationSeen':
      seeGeneration(change.seen, writing)
      break
    case 'holeSeen':
      recordHole(change.hole, writing)
      break
    case 'numberingDecided':
      decideNumbering(change.numbering, writing)
      break
    case 'activityChanged':
      putActivity(change.activity, writing)
      break
    case 'frameSettled':
      settleFrame(change, writing)
      break
    case 'attemptStarted':
      startAttempt(change.attempt, writing)
      break
    case 'attemptEnded':
      endAttempt(change.attempt, writing)
      break
    case 'gapRecorded':
      recordGap(change.gap, writing)
      break
    case 'gapAccounted':
      accountGap(change, writing)
      break
    case 'connectionChanged':
      changeConnection(change.connection, writing)
      break
    case 'openAttemptsAborted':
      writing.run.abortAttempts.run()
      break
    default:
      assertNever(change)
  }
}

/**
 * The move this frame makes in the same list, before any other frame is journaled, where it fits into the frame's own row.
 * Then the order of frames is the order of moves.
 */
function moveToCarry(changes: readonly Change[], index: number, {frame}: Journaled): Move | undefined {
  for (let next = index + 1; next < changes.length; next++) {
    const change = changes[next]
    if (change === undefined || change.kind === 'frameJournaled') return undefined
    if (change.kind !== 'cursorMoved') continue
    const {move} = change
    const late = move.at - frame.receivedAt
    const fits = late >= 0 && late < MOVES_WITHIN_MS && move.steps.length <= STEPS_SHOWN && move.reason === undefined
    return move.frame === frame.id && fits ? move : undefined
  }
  return undefined
}

function journalFrame(change: Journaled, carried: Move | undefined, {book, run}: Writing): void {
  const {frame, outcome, attempt} = change
  const source = recordedAt(book.source(frame.source), frame.receivedAt)
  count(source, change)
  const lane = frame.lane === undefined ? NO_LANE : book.coordinate(source, frame.lane).id
  cellAt(source.cells, frame.receivedAt, lane).count += 1
  run.addFrame.run(
    frame.id,
    source.key,
    frame.receivedAt,
    frame.kind,
    frame.event,
    lane === NO_LANE ? null : lane,
    frame.sequence ?? null,
    frame.summary,
    frame.size,
    outcome,
    attempt,
    frame.redelivers ?? null,
    notableAs(frame.kind, outcome),
    carried?.cause ?? null,
    carried?.steps.length ?? null,
    carried === undefined ? null : JSON.stringify(carried.steps.map(stepTripleOf)),
    carried?.at ?? null,
    frame.cuts.length === 0 ? null : JSON.stringify(frame.cuts),
    frame.problem === undefined ? null : JSON.stringify(frame.problem),
    frame.bytes,
  )
  book.newestFrame = frame.id
  if (waits(outcome)) {
    const runs = outcome === 'rejected' ? attempt : 0
    const context = frame.context === undefined ? null : JSON.stringify(frame.context)
    run.awaitFrame.run({frame: frame.id, source: source.key, redelivers: frame.redelivers ?? null, runs, context})
  }
  if (frame.redelivers !== undefined) run.dropUnhandled.run(frame.redelivers)
}

function settleFrame(change: Settled, {book, run}: Writing): void {
  const source = recordedAt(book.source(change.source), change.at)
  const kind = run.kindOfFrame.get(change.frame, source.key)?.['kind']
  if (kind === undefined) throw new Error(`frame ${change.frame} was settled and never journaled`)
  count(source, change)
  run.settleFrame.run(change.outcome, change.attempt, change.at, notableAs(String(kind), change.outcome), change.frame)
  const waiting = {frame: change.frame, source: source.key, redelivers: null, runs: 0, context: null}
  if (waits(change.outcome)) run.awaitFrame.run(waiting)
  else run.dropUnhandled.run(change.frame)
}

/** @param carried - the row of its frame holds it already */
function moveCursor(move: Move, carried: boolean, {book, run}: Writing): void {
  const source = recordedAt(book.source(move.source), move.at)
  for (const {key, after} of move.steps) {
    const coordinate = book.coordinate(source, key)
    coordinate.sequence = after
    source.moved.add(coordinate)
    cellAt(source.cells, move.at, coordinate.id).last = after ?? REMOVED
  }
  if (carried) return
  const triples = move.steps.map(stepTripleOf)
  const {frame} = move
  const place = [frame ?? null, book.newestFrame] as const
  run.addMove.run(source.key, move.at, move.cause, ...place, move.reason ?? null, JSON.stringify(triples))
  if (frame !== undefined)
    run.moveFrame.run(move.cause, triples.length, JSON.stringify(triples.slice(0, STEPS_SHOWN)), frame)
}

function noteSource(change: OfSource, writing: Writing): void {
  if (change.kind === 'sourceAdded') return addSource(change.source, writing)
  const {book, run} = writing
  if (change.kind === 'sourceChanged')
    run.changeSource.run(JSON.stringify(change.source), book.source(change.source.id).key)
  else if (change.kind === 'supervisorMet')
    run.meetSupervisor.run(JSON.stringify(change.supervisor), book.source(change.source).key)
  else if (change.kind === 'sourceRemoved') run.removeSource.run(change.at, book.source(change.source).key)
  else run.seeVector.run(book.source(change.source).key)
}

function addSource(record: SourceRecord, {run}: Writing): void {
  run.addSource.run(record.id, JSON.stringify(record))
  run.addTally.run(record.id)
}

function startAttempt(attempt: Attempt, writing: Writing): void {
  putAttempt(attempt, writing)
  writing.run.countAttempt.run(attempt.n, attempt.frame)
}

function endAttempt(attempt: Attempt, writing: Writing): void {
  const {run} = writing
  putAttempt(attempt, writing)
  for (const [place, {output}] of (attempt.runs ?? []).entries())
    if (output !== undefined && output !== '') run.putOutput.run(attempt.frame, attempt.n, place, output)
  if (!countsAsFailure(attempt.state)) return
  run.countFailure.run(attempt.retry === undefined ? null : JSON.stringify(attempt.retry), attempt.frame)
}

function putAttempt(attempt: Attempt, {book, run}: Writing): void {
  const source = recordedAt(book.source(attempt.source), attempt.endedAt ?? attempt.startedAt)
  const {frame, n, callback, state, startedAt, endedAt, error} = attempt
  const runs = attempt.runs === undefined ? null : JSON.stringify(attempt.runs.map(withoutOutput))
  run.putAttempt.run(frame, n, source.key, callback, state, startedAt, endedAt ?? null, error ?? null, runs)
}

/** What was lost can be asked for as long as the ledger lasts; beside it stands what screens are told, which is quick to read. */
function recordGap(gap: Gap, {book, run}: Writing): void {
  const row = gapRowOf(gap)
  if (gap.appliedAt !== undefined) run.notePlaceTaken.run(gap.frame, book.source(gap.source).key)
  run.putGap.run(
    row.frame,
    book.source(gap.source).key,
    row.receivedAt,
    row.outcome,
    JSON.stringify(row.said),
    JSON.stringify(row.before),
    JSON.stringify(row.after),
    row.cursorReset === undefined ? null : Number(row.cursorReset),
    JSON.stringify(row.wentBack),
    JSON.stringify(row.removed),
    row.appliedAt ?? null,
    row.coordinatesTotal ?? null,
    row.coordinatesTotal === undefined ? null : wholePartOf(gap),
  )
}

function accountGap({source, frame, account}: Extract<Change, {kind: 'gapAccounted'}>, {book, run}: Writing): void {
  recordedAt(book.source(source), account.at)
  run.accountGap.run(frame, account.at, account.note)
}

/** In a numbering that was given up nothing is taken back: the name goes on in another one. */
function endGeneration(change: GenerationEnd, {book, run}: Writing): void {
  const source = book.source(change.source)
  const lane = book.coordinate(source, laneOfGeneration(change.generation)).id
  if (change.kind === 'generationResumed') run.resumeGeneration.run(lane, source.numbering)
  else {
    const numbering = newestNumbering(lane, run) ?? source.numbering
    run.retireGeneration.run({lane, numbering, source: recordedAt(source, change.at).key, at: change.at})
  }
}

function newestNumbering(lane: number, run: WriteStatements): number | undefined {
  const numbering = run.newestNumbering.get(lane)?.['numbering']
  return typeof numbering === 'number' ? numbering : undefined
}

function seeGeneration({source: id, lane: name, sequence, at, by}: GenerationSeen, {book, run}: Writing): void {
  const source = recordedAt(book.source(id), at)
  const lane = book.coordinate(source, name).id
  if (by === 'stale') return void run.countStale.run(lane, newestNumbering(lane, run) ?? source.numbering)
  const isEvent = by === 'event'
  run.seeGeneration.run({
    lane,
    numbering: source.numbering,
    source: source.key,
    first: isEvent ? sequence : null,
    sequence,
    at,
    events: Number(isEvent),
    snapshots: Number(!isEvent),
  })
}

function decideNumbering(numbering: NumberingDecision, {book, run}: Writing): void {
  const {frame, receivedAt, decidedAt, decision, held, offered} = numbering
  const source = recordedAt(book.source(numbering.source), decidedAt)
  count(source, {kind: 'numberingDecided', numbering})
  const cursors = [JSON.stringify(held), JSON.stringify(offered)] as const
  run.putNumbering.run(frame, source.key, receivedAt, decidedAt, decision, ...cursors)
  run.noteNumbering.run(frame)
  if (decision === 'taken') source.numbering += 1
}

function recordHole(hole: Hole, {book, run}: Writing): void {
  const source = recordedAt(book.source(hole.source), hole.receivedAt)
  count(source, {kind: 'holeSeen', hole})
  const lane = book.coordinate(source, hole.lane).id
  run.putHole.run(hole.frame, source.key, hole.receivedAt, lane, hole.missing, JSON.stringify(holeRowOf(hole)))
}

function putActivity(activity: Activity, {book, run}: Writing): void {
  const {frame, kind, label, startedAt, endedAt, endFrame, state} = activity
  const told = startedAt ?? endedAt ?? 0
  const source = recordedAt(book.source(activity.source), endedAt ?? told)
  run.putActivity.run(frame, source.key, kind, label, told, startedAt ?? null, endedAt ?? null, endFrame ?? null, state)
}

function wholePartOf(gap: Gap): string {
  const {said, before, after} = wholeGapRowOf(gap)
  return JSON.stringify({said, before, after} satisfies WholePart)
}

function changeConnection({source: id, at, state, heartbeat}: ConnectionFact, {book, run}: Writing): void {
  const source = recordedAt(book.source(id), at)
  const {lastInsertRowid} = run.addConnection.run(source.key, at, JSON.stringify(state), heartbeat)
  run.lastConnection.run(lastInsertRowid, source.key)
}

function recordedAt(source: OpenSource, at: number): OpenSource {
  source.touched = true
  if (source.lastAt === undefined || at > source.lastAt) source.lastAt = at
  return source
}

function count(source: OpenSource, change: Change): void {
  for (const counter of countersOf(change)) source.tally[counter] += 1
}

function waits(outcome: Outcome): boolean {
  return outcome === 'pending' || outcome === 'rejected'
}

/** Under which name a frame is found at any zoom, however many ordinary ones surround it. */
function notableAs(kind: string, outcome: Outcome): string | null {
  if (outcome === 'rejected' || outcome === 'skipped' || outcome === 'malformed') return outcome
  return kind === 'gap' ? 'gap' : null
}
