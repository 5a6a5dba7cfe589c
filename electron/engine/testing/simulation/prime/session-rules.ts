import type {Change} from '../../../../../shared/history/change.ts'
import type {Move, Outcome} from '../../../../../shared/history/fact.ts'
import type {SourceChange} from '../durable-rules.ts'
import {areEqual, inWords} from '../fold.ts'
import {type Debtor, owesNothing, payHole, payMove} from '../owed.ts'
import type {Vector} from '../reading.ts'
import {type Called, countAttempt, type Turns} from '../turns.ts'
import {inheriting, judgeLine, type Standing} from './lane.ts'
import type {LineMeaning, LineReader, Place} from './read-line.ts'
import type {LineOrder} from './wire-log.ts'

/** A line that is durable and moves something, or would. */
export interface KeptLine extends Called {
  readonly line: Exclude<LineMeaning, {kind: 'nothing'}>
}

/** What the witness of one session knows of its disk. */
export interface SessionDisk extends Debtor {
  readonly turns: Turns
  readonly order: LineOrder
  readonly reader: LineReader
  readonly called: (id: number, line: KeptLine['line']) => KeptLine
  readonly kept: Map<number, KeptLine>
  readonly unhandled: Map<number, KeptLine>
  readonly maySkip: Set<number>
  standing: Standing
  /** Where a session that was replaced, in the transaction at hand, leaves its place to this one. */
  heritage: Place | undefined
}

export function positionOf({held}: Standing): Vector {
  return new Map(held === undefined ? [] : [[`g:${held.generation}`, held.sequence]])
}

/** Judges one transaction, change by change, and follows it. */
export function judgeSession(disk: SessionDisk, changes: readonly SourceChange[]): void {
  for (const change of changes) judge(disk, change)
  owesNothing(disk)
  disk.heritage = undefined
}

function judge(disk: SessionDisk, change: SourceChange): void {
  switch (change.kind) {
    case 'frameJournaled':
      return journaled(disk, change)
    case 'frameSettled':
      return settled(disk, change)
    case 'cursorMoved':
      return moved(disk, change.move)
    case 'attemptStarted':
    case 'attemptEnded':
      return countAttempt(disk.turns, disk.kept.get(change.attempt.frame), change.attempt)
    case 'generationRetired':
      return retired(disk, change.generation)
    case 'holeSeen':
      return payHole(disk, change)
    default:
      return
  }
}

const OUT_OF_ORDER = 'a frame is durable that was not received, or not in order'
const OTHER_OUTCOME = 'a frame came to another outcome than its kind allows'
const PASSED = 'the cursor passed a frame that was received and not handled'

function journaled(disk: SessionDisk, {frame, outcome}: Extract<Change, {kind: 'frameJournaled'}>): void {
  const text = Buffer.from(frame.bytes).toString('utf8')
  const came = disk.order.next(text)
  if (came === undefined) disk.broken(OUT_OF_ORDER, `${frame.id}: ${text.slice(0, 200)}`)
  const line = disk.reader.read(came ?? text)
  const isAside = outcome === 'control' || outcome === 'malformed'
  if (line.kind === 'nothing' || (line.kind === 'snapshot' && isAside)) {
    if (!isAside) disk.broken(OTHER_OUTCOME, `${frame.id} ${outcome}: ${text.slice(0, 200)}`)
    return
  }
  if (isAside) return disk.broken(OTHER_OUTCOME, `${frame.id} ${outcome}: ${text.slice(0, 200)}`)
  const one = disk.called(frame.id, line)
  disk.kept.set(frame.id, one)
  if (outcome === 'pending') disk.unhandled.set(frame.id, one)
  else settle(disk, one, outcome)
}

function settled(disk: SessionDisk, {frame, outcome}: Extract<Change, {kind: 'frameSettled'}>): void {
  const one = disk.kept.get(frame)
  if (one === undefined) return disk.broken(OUT_OF_ORDER, `${frame} settled`)
  if (outcome === 'rejected') return
  if (outcome === 'skipped' && !disk.maySkip.has(frame))
    disk.broken('a frame was skipped that no user skipped', `${frame}`)
  if (!disk.unhandled.has(frame)) disk.broken(OTHER_OUTCOME, `${frame} ${outcome}, and it was done with`)
  settle(disk, one, outcome)
}

function settle(disk: SessionDisk, one: KeptLine, outcome: Outcome): void {
  owesNothing(disk)
  if (one.attemptOpen) disk.broken('a frame is settled, and an attempt on it is still open', `${one.id}`)
  disk.unhandled.delete(one.id)
  for (const other of disk.unhandled.values())
    if (other.id < one.id) disk.broken(PASSED, `by ${one.id}: unhandled ${other.id}`)
  const before = disk.standing
  const verdict = judgeLine(before, one.line)
  const isSkipped = outcome === 'skipped'
  if (!isSkipped && outcome !== verdict.outcome)
    disk.broken(OTHER_OUTCOME, `${one.id} ${outcome} for ${verdict.outcome}`)
  disk.standing = verdict.after
  disk.turns.runs.settle(one.key)
  const leadsTo = positionOf(verdict.after)
  const usual = one.line.kind === 'snapshot' ? 'snapshotAdopted' : outcome === 'discarded' ? 'discarded' : 'handled'
  const isMoved = verdict.after !== before
  disk.owed = {
    frame: one.id,
    move: isSkipped || isMoved ? {cause: isSkipped ? 'skipped' : usual, leadsTo, hasReason: isSkipped} : undefined,
    hole: verdict.hole,
    retires: new Set([...verdict.after.retired].filter((one) => !before.retired.has(one))),
  }
}

function moved(disk: SessionDisk, move: Move): void {
  if (move.frame === undefined) return imported(disk, move)
  payMove(disk, move, stepped(move))
}

/** A session takes its place from the one that was replaced by it, and from nowhere else. */
function imported(disk: SessionDisk, move: Move): void {
  const {heritage} = disk
  if (heritage === undefined || move.cause !== 'imported') return disk.broken('a move has no cause', move.cause)
  disk.standing = inheriting(disk.standing, heritage)
  if (!areEqual(stepped(move), positionOf(disk.standing)))
    disk.broken('the position is not what the handled frames add up to', `${inWords(stepped(move))} inherited`)
}

/** Of a stream with generations a move names every coordinate that there is. */
function stepped({steps}: Move): Vector {
  return new Map(steps.flatMap(({key, after}) => (after === undefined ? [] : [[key, after]])))
}

function retired(disk: SessionDisk, generation: string | number): void {
  const name = String(generation)
  if (disk.owed?.retires.delete(name) === true) return
  // A session that goes on takes over what the one before it left.
  if (disk.heritage === undefined) return disk.broken('a generation was retired that nothing left', name)
  disk.standing = {...disk.standing, retired: new Set([...disk.standing.retired, name])}
}
