import type {Change} from '../../../../../shared/history/change.ts'
import type {Move, Outcome} from '../../../../../shared/history/fact.ts'
import {type CursorDisk, leaveWaiting, OTHER_OUTCOME, OUT_OF_ORDER, settledFor} from '../cursor-disk.ts'
import type {SourceChange} from '../durable-rules.ts'
import {areEqual, inWords} from '../fold.ts'
import {type Debtor, owesNothing, payHole, payMove} from '../owed.ts'
import type {Vector} from '../reading.ts'
import {type Called, countAttempt, type Turns} from '../turns.ts'
import {inheriting, judgeLine, type Standing} from './lane.ts'
import type {Meetings} from './meetings.ts'
import type {LineMeaning, LineReader, Place} from './read-line.ts'
import type {LineOrder} from './wire-log.ts'

/** A line that is durable and moves something, or would. */
export interface KeptLine extends Called {
  readonly line: Exclude<LineMeaning, {kind: 'nothing'}>
}

/** What the witness of one session knows of its disk. */
export interface SessionDisk extends Debtor, CursorDisk<KeptLine> {
  readonly turns: Turns
  readonly order: LineOrder
  readonly reader: LineReader
  readonly called: (id: number, line: KeptLine['line']) => KeptLine
  standing: Standing
  /** Where a session that was replaced, in the transaction at hand, leaves its place to this one. */
  heritage: Heritage | undefined
  /** Of the daemon. */
  readonly meetings: Meetings
}

export interface Heritage {
  readonly at: Place
  /** Who serves the session that is replaced. */
  readonly supervisor: () => string | undefined
}

export function positionOf({held}: Standing): Vector {
  return new Map(held === undefined ? [] : [[`g:${held.generation}`, held.sequence]])
}

/** Judges one transaction, change by change, and follows it. */
export function judgeSession(disk: SessionDisk, changes: readonly SourceChange[]): void {
  for (const change of changes) judge(disk, change)
  owesNothing(disk)
  disk.meetings.owesNothing()
  disk.heritage = undefined
}

function judge(disk: SessionDisk, change: SourceChange): void {
  switch (change.kind) {
    case 'frameJournaled':
      return journaled(disk, change)
    case 'frameSettled':
      return settle(disk, settledFor(disk, change), change.outcome)
    case 'cursorMoved':
      return moved(disk, change.move)
    case 'attemptStarted':
    case 'attemptEnded':
      return countAttempt(disk.turns, disk.kept.get(change.attempt.frame), change.attempt)
    case 'generationRetired':
      return retired(disk, change.generation)
    case 'supervisorMet':
      return disk.meetings.told(change.supervisor, disk.heritage?.supervisor())
    case 'holeSeen':
      return payHole(disk, change)
    default:
      return
  }
}

function journaled(disk: SessionDisk, {frame, outcome}: Extract<Change, {kind: 'frameJournaled'}>): void {
  const text = Buffer.from(frame.bytes).toString('utf8')
  const came = disk.order.next(text)
  if (came === undefined) disk.broken(OUT_OF_ORDER, `${frame.id}: ${text.slice(0, 200)}`)
  disk.meetings.heard(disk.order.candidates())
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

function settle(disk: SessionDisk, one: KeptLine | undefined, outcome: Outcome): void {
  if (one === undefined) return
  owesNothing(disk)
  leaveWaiting(disk, one)
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
  disk.standing = inheriting(disk.standing, heritage.at)
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
