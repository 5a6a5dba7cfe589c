import type {Change} from '../../../../shared/history/change.ts'
import type {Gap, Move, Outcome} from '../../../../shared/history/fact.ts'
import {areEqual, bringsVector, fold, inWords} from './fold.ts'
import type {Told, Vector} from './reading.ts'
import type {Receipt, Receipts} from './receipts.ts'
import {subjectOf} from './subject.ts'
import {type Called, countAttempt, newCalled, type Turns} from './turns.ts'
import type {Rule} from './verdict.ts'

export type SourceChange = Exclude<Change, {kind: 'openAttemptsAborted' | 'sourceAdded' | 'sourceChanged'}>

/** A frame that is durable. */
export interface Kept extends Called {
  readonly told: Told
  readonly receipt: Receipt
}

/** A frame that was settled, and the move that must stand behind it in the same transaction. */
interface Owed {
  readonly frame: number
  readonly cause: Move['cause']
  readonly from: Vector
  readonly leadsTo: Vector
}

/** What the witness of one source knows of its disk. */
export interface Durable {
  readonly broken: (rule: Rule, detail: string) => void
  readonly receipts: Receipts
  readonly turns: Turns
  /** What each frame may be journaled as, told when that was asked for. */
  readonly mayBe: Map<number, readonly Outcome[]>
  readonly kept: Map<number, Kept>
  readonly unhandled: Map<number, Kept>
  /** Frames that a user chose to skip. */
  readonly maySkip: Set<number>
  /** Frames done with, by the label of their event. */
  readonly labels: Map<string, number>
  position: Vector
  vectorSeen: boolean
  vectorOwed: boolean
  owed: Owed | undefined
  lastMove: Owed | undefined
}

/** Judges one transaction, change by change, and follows it. */
export function judgeDurable(disk: Durable, changes: readonly SourceChange[]): void {
  disk.lastMove = undefined
  for (const change of changes) judge(disk, change)
  owesNothing(disk)
  if (disk.vectorOwed)
    disk.broken('that a vector was seen was forgotten', 'a frame with a vector is durable without it')
}

function judge(disk: Durable, change: SourceChange): void {
  switch (change.kind) {
    case 'frameJournaled':
      journaled(disk, change)
      return
    case 'frameSettled':
      settled(disk, change)
      return
    case 'cursorMoved':
      moved(disk, change.move)
      return
    case 'vectorSeen':
      vectorSeen(disk)
      return
    case 'gapRecorded':
      ledger(disk, change.gap)
      return
    case 'attemptStarted':
    case 'attemptEnded':
      countAttempt(disk.turns, disk.kept.get(change.attempt.frame), change.attempt)
      return
    default:
      return
  }
}

const OUT_OF_ORDER = 'a frame is durable that was not received, or not in order'

function journaled(disk: Durable, {frame, outcome, attempt}: Extract<Change, {kind: 'frameJournaled'}>): void {
  const {kept, unhandled, broken} = disk
  const next = disk.receipts.next()
  const text = Buffer.from(frame.bytes).toString('utf8').trim()
  const fits = next !== undefined && (next.told.isSecret ? text === '' : text === next.told.text.trim())
  if (next === undefined || !fits || kept.has(frame.id)) {
    broken(OUT_OF_ORDER, `${frame.id}: ${text.slice(0, 200)}`)
    return
  }
  // One that waits, or one that the journal brought and handled before the server sent it after all.
  const before = frame.redelivers === undefined ? undefined : kept.get(frame.redelivers)
  const waited = before !== undefined && unhandled.has(before.id)
  if (frame.redelivers !== undefined) unhandled.delete(frame.redelivers)
  if (frame.redelivers !== undefined && before?.told.text !== next.told.text)
    broken(OUT_OF_ORDER, `${frame.id} is no redelivery`)
  const one: Kept = {...calledBy(disk, frame.id, next.told, before, waited), told: next.told, receipt: next}
  kept.set(frame.id, one)
  disk.vectorOwed ||= !disk.vectorSeen && bringsVector(next.told.meaning)
  if (!(disk.mayBe.get(frame.id) ?? []).includes(outcome))
    broken('a frame came to another outcome than its kind allows', `${frame.id} ${outcome} attempt ${attempt}`)
  if (outcome === 'pending') unhandled.set(frame.id, one)
  else settle(disk, one, outcome)
}

/** A frame as its callbacks are concerned with it. */
export function calledBy(disk: Durable, id: number, told: Told, before?: Called, waited = false): Called {
  const isCallable = told.meaning.kind === 'event' || told.meaning.kind === 'gap'
  const subject = () => subjectOf(told, disk.position, disk.vectorSeen)
  return newCalled({id, key: told.key, isCallable, subject}, before, waited)
}

/** What a frame is when nothing runs for it. */
export function outcomeAlone({meaning}: Told): Outcome {
  if (meaning.kind === 'event' || meaning.kind === 'gap') return 'handled'
  return meaning.kind === 'unknown' ? 'discarded' : meaning.kind
}

function settled(disk: Durable, {frame, outcome, attempt}: Extract<Change, {kind: 'frameSettled'}>): void {
  const one = disk.kept.get(frame)
  if (one === undefined) {
    disk.broken(OUT_OF_ORDER, `${frame}`)
    return
  }
  if (outcome === 'skipped' && !disk.maySkip.has(frame))
    disk.broken('a frame was skipped that no user skipped', `${frame}`)
  const isCallable = one.told.meaning.kind === 'event' || one.told.meaning.kind === 'gap'
  if (outcome === 'handled' && !(isCallable && disk.unhandled.has(frame)))
    disk.broken('a frame came to another outcome than its kind allows', `${frame} ${outcome} attempt ${attempt}`)
  settle(disk, one, outcome)
}

const CAUSES: Partial<Record<Outcome, Move['cause']>> = {discarded: 'discarded', skipped: 'skipped'}

function settle(disk: Durable, one: Kept, outcome: Outcome): void {
  if (outcome === 'control' || outcome === 'malformed' || outcome === 'rejected') return
  const {told, receipt} = one
  const {position} = disk
  if (one.attemptOpen) disk.broken('a frame is settled, and an attempt on it is still open', `${one.id}`)
  owesNothing(disk)
  disk.unhandled.delete(one.id)
  // A malformed one that the user skips moves nothing: it passes nothing, whatever waits.
  if (told.meaning.kind !== 'malformed')
    for (const other of disk.unhandled.values()) passed(disk, one, `unhandled ${other.id}`)
  const leadsTo = fold(position, disk.vectorSeen, told.meaning)
  const movesOwn = leadsTo.get('s') !== position.get('s')
  const missed = disk.receipts.settle(receipt, {bySkip: outcome === 'skipped', movesOwn})
  if (missed !== undefined) passed(disk, one, `received ${missed.text.slice(0, 120)}`)
  disk.turns.runs.settle(told.key)
  const label = /"(?:message_id|task_id)":"\$?([^."]*)\./.exec(told.text)?.[1]
  if (label !== undefined) disk.labels.set(label, (disk.labels.get(label) ?? 0) + 1)
  const cause = CAUSES[outcome] ?? (told.meaning.kind === 'gap' ? 'gapReplaced' : 'handled')
  // The user's word is kept as a move, also where it moves nothing.
  if (outcome === 'skipped' || !areEqual(leadsTo, position)) disk.owed = {frame: one.id, cause, from: position, leadsTo}
}

function passed({broken}: Durable, one: Kept, what: string): void {
  broken('the cursor passed a frame that was received and not handled', `by ${one.id}: ${what}`)
}

function owesNothing(disk: Durable): void {
  if (disk.owed !== undefined) disk.broken('a handled frame is durable without its move', `${disk.owed.frame}`)
  disk.owed = undefined
}

function moved(disk: Durable, {frame, cause, steps, reason}: Move): void {
  const due = disk.owed
  disk.owed = undefined
  disk.lastMove = due
  const isExplained = (cause === 'skipped') === (reason !== undefined)
  if (due === undefined || frame !== due.frame || cause !== due.cause || !isExplained) {
    disk.broken('a move has no cause', `${frame} ${cause}`)
    return
  }
  const to = new Map(disk.position)
  for (const {key, before, after} of steps) {
    if (to.get(key) !== before || before === after)
      disk.broken('the steps of a move do not connect', `${frame} ${key}: ${before} to ${after}, held ${to.get(key)}`)
    if (after === undefined) to.delete(key)
    else to.set(key, after)
  }
  if (!areEqual(to, due.leadsTo))
    disk.broken(
      'the position is not what the handled frames add up to',
      `${frame}: ${inWords(to)} for ${inWords(due.leadsTo)}`,
    )
  disk.position = to
}

function vectorSeen(disk: Durable): void {
  if (!disk.vectorOwed) disk.broken('that a vector was seen was forgotten', 'it is written where none came, or again')
  disk.vectorSeen = true
  disk.vectorOwed = false
}

/** The ledger tells what was held when the gap was applied, or what is held while it is not. */
function ledger(disk: Durable, gap: Gap): void {
  const one = disk.kept.get(gap.frame)
  const {lastMove, position} = disk
  const before = gap.appliedAt !== undefined && lastMove?.frame === gap.frame ? lastMove.from : position
  const after = one?.told.meaning.kind === 'gap' ? fold(before, disk.vectorSeen, one.told.meaning) : before
  const back = [...before].flatMap(([key, was]) => ((after.get(key) ?? was) < was ? [key] : [])).sort()
  const gone = [...before.keys()].filter((key) => !after.has(key)).sort()
  const fits =
    areEqual(gap.before, before) &&
    areEqual(gap.after, after) &&
    String(gap.wentBack) === String(back) &&
    String(gap.removed) === String(gone)
  if (one === undefined || !fits)
    disk.broken('a gap stands in the ledger with another position than was held', `${gap.frame} ${gap.outcome}`)
}
