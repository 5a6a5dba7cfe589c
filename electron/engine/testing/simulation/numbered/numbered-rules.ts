import type {Change} from '../../../../../shared/history/change.ts'
import type {Move, Outcome} from '../../../../../shared/history/fact.ts'
import type {NumberingDecision} from '../../../../../shared/history/numbering.ts'
import {type CursorDisk, leaveWaiting, OTHER_OUTCOME, OUT_OF_ORDER, settledFor} from '../cursor-disk.ts'
import type {SourceChange} from '../durable-rules.ts'
import {type Debtor, owesNothing, payHole, payMove} from '../owed.ts'
import type {Vector} from '../reading.ts'
import {type Called, countAttempt, type Turns} from '../turns.ts'
import type {MessageLog, Received} from './message-log.ts'
import {judgeNumbered, type Numbered, type Standing, type Verdict} from './numbering.ts'
import {comparePlaces, type Place} from './read-message.ts'
import type {Numbering} from './server-numbering.ts'

/** A message with a cursor that is durable. */
export interface KeptMessage extends Called, Numbered {
  readonly numbering: Numbering
}

/** What the user said of a numbering that began anew, by its first frame. Nothing of it survives the process. */
export interface UsersWord {
  readonly takes: Set<number>
  readonly keeps: Set<number>
}

/** What the witness of one numbered stream knows of its disk. */
export interface NumberedDisk extends Debtor, CursorDisk<KeptMessage> {
  readonly turns: Turns
  readonly log: MessageLog
  readonly called: (id: number, received: Received & {readonly message: {readonly kind: 'numbered'}}) => KeptMessage
  readonly word: UsersWord
  /** Places that were called of a numbering which was given up, by the store that they come from. */
  readonly stale: Map<Numbering, Set<string>>
  standing: Standing
  /** Where it stood before the frame that was settled last. */
  before: Vector
  /** The number that became durable last. */
  last: KeptMessage | undefined
  /** Generations that come back in the transaction at hand. */
  resumes: Set<number>
  /** What the user said, which that transaction is to keep. */
  said: string | undefined
}

export function positionOf({held}: Standing): Vector {
  if (held === undefined) return new Map()
  return new Map([
    ['generation', held.generation],
    ['sequence', held.sequence],
  ])
}

/** Judges one transaction, change by change, and follows it. */
export function judgeStream(disk: NumberedDisk, changes: readonly SourceChange[]): void {
  for (const change of changes) judge(disk, change)
  endOf(disk)
}

function judge(disk: NumberedDisk, change: SourceChange): void {
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
      if (disk.owed?.retires.delete(String(change.generation)) !== true)
        disk.broken('a generation was retired that nothing left', String(change.generation))
      return
    case 'generationResumed':
      if (!disk.resumes.delete(Number(change.generation)))
        disk.broken('a generation came back that nothing brought', String(change.generation))
      return
    case 'numberingDecided':
      return keepsWord(disk, change.numbering)
    case 'holeSeen':
      return payHole(disk, change)
    default:
      return
  }
}

const NOT_KEPT = 'what the user said of a numbering is not kept with it'

function journaled(disk: NumberedDisk, {frame, outcome}: Extract<Change, {kind: 'frameJournaled'}>): void {
  const text = Buffer.from(frame.bytes).toString('utf8')
  const came = disk.log.next(text)
  if (came === undefined) return disk.broken(OUT_OF_ORDER, `${frame.id}: ${text.slice(0, 200)}`)
  if (isUndecided(disk)) disk.broken('a stream was read on behind a numbering that began anew', `${frame.id}`)
  const {message} = came
  if (message.kind !== 'numbered') {
    if (outcome !== message.kind) disk.broken(OTHER_OUTCOME, `${frame.id} ${outcome}: ${text.slice(0, 200)}`)
    return
  }
  const one = disk.called(frame.id, {...came, message})
  disk.kept.set(frame.id, one)
  disk.last = one
  if (outcome === 'pending') disk.unhandled.set(frame.id, one)
  else settle(disk, one, outcome)
}

/** The first number of a connection begins a numbering anew, and nobody has decided about it. */
function isUndecided(disk: NumberedDisk): boolean {
  const {last, unhandled} = disk
  return last?.isFirst === true && unhandled.has(last.id) && verdictOn(disk, last).outcome === 'asks'
}

export function verdictOn({standing, word}: NumberedDisk, one: Numbered & {readonly id: number}): Verdict {
  return judgeNumbered(standing, one, word.takes.has(one.id))
}

function settle(disk: NumberedDisk, one: KeptMessage | undefined, outcome: Outcome): void {
  if (one === undefined) return
  endOf(disk)
  leaveWaiting(disk, one)
  // It was taken in vain, and then the old numbering was kept: the later word is the one that ends it.
  if (outcome === 'stale' && disk.word.keeps.has(one.id)) disk.word.takes.delete(one.id)
  const before = disk.standing
  const verdict = verdictOn(disk, one)
  checkOutcome(disk, one, outcome, verdict)
  if (verdict.outcome === 'stale') noteStale(disk, one)
  if (verdict.after !== before && !disk.word.takes.has(one.id)) checkPassed(disk, one, before.held)
  disk.standing = verdict.after
  disk.turns.runs.settle(one.key)
  const isSkipped = outcome === 'skipped'
  const isMoved = verdict.after !== before
  const cause = causeOf(disk, one, outcome)
  // The user's word is kept as a move, also where it moves nothing.
  const isTold = isMoved || isSkipped || cause === 'numberingKept'
  disk.owed = {
    frame: one.id,
    move: isTold ? {cause, leadsTo: positionOf(verdict.after), hasReason: isSkipped} : undefined,
    hole: verdict.hole,
    retires: new Set([...verdict.after.left].filter((left) => !before.left.has(left)).map(String)),
  }
  disk.resumes = new Set([...before.left].filter((left) => !verdict.after.left.has(left)))
  disk.said = saidOf(cause, before.held, one)
}

function saidOf(cause: Move['cause'], held: Place | undefined, {id, at}: KeptMessage): string | undefined {
  const decision = DECISIONS[cause]
  return decision && held && `${id} ${decision}: ${textOf(held)} or ${textOf(at)}`
}

const DECISIONS: Partial<Record<Move['cause'], NumberingDecision['decision']>> = {
  numberingTaken: 'taken',
  numberingKept: 'kept',
}

function keepsWord(disk: NumberedDisk, {frame, decision, held, offered}: NumberingDecision): void {
  const kept = `${frame} ${decision}: ${textOf(held)} or ${textOf(offered)}`
  if (kept !== disk.said) disk.broken(NOT_KEPT, `${kept} for ${disk.said}`)
  disk.said = undefined
}

function checkOutcome(disk: NumberedDisk, one: KeptMessage, outcome: Outcome, verdict: Verdict): void {
  if (outcome === 'skipped' || outcome === verdict.outcome) return
  if (verdict.outcome !== 'asks') return disk.broken(OTHER_OUTCOME, `${one.id} ${outcome} for ${verdict.outcome}`)
  if (outcome !== 'stale' || !disk.word.keeps.has(one.id))
    disk.broken('a numbering that began anew was decided about without the user', `${one.id} ${outcome}`)
}

function causeOf({word}: NumberedDisk, one: KeptMessage, outcome: Outcome): Move['cause'] {
  if (word.takes.has(one.id)) return 'numberingTaken'
  if (outcome === 'stale' && word.keeps.has(one.id)) return 'numberingKept'
  if (outcome === 'skipped') return 'skipped'
  return outcome === 'discarded' ? 'discarded' : 'handled'
}

/**
 * The server keeps its store, so it would send each of its messages again: of those between what was held and what is held now
 * none may be left out.
 */
function checkPassed(disk: NumberedDisk, {id, at, numbering}: KeptMessage, held: Place | undefined): void {
  const known = numbering.entries.findLastIndex(({cursor}) => comparePlaces(cursor, at) === 0)
  if (known === -1) return disk.broken(OUT_OF_ORDER, `${id}: no server made ${textOf(at)}`)
  for (let before = known - 1; before >= 0; before--) {
    const cursor = numbering.entries[before]?.cursor ?? at
    if (held !== undefined && comparePlaces(cursor, held) <= 0) return
    if (disk.stale.get(numbering)?.has(textOf(cursor)) === true) continue
    return disk.broken('the cursor passed what the server would send again', `${textOf(cursor)} by ${textOf(at)}`)
  }
}

function noteStale({stale}: NumberedDisk, {at, numbering}: KeptMessage): void {
  const known = stale.get(numbering)
  if (known === undefined) stale.set(numbering, new Set([textOf(at)]))
  else known.add(textOf(at))
}

function textOf({generation, sequence}: Place): string {
  return `{${generation}, ${sequence}}`
}

function endOf(disk: NumberedDisk): void {
  owesNothing(disk)
  if (disk.resumes.size > 0) disk.broken('a generation came back and is still called left', String([...disk.resumes]))
  if (disk.said !== undefined) disk.broken(NOT_KEPT, disk.said)
  disk.resumes = new Set()
  disk.said = undefined
  disk.before = positionOf(disk.standing)
}

function moved(disk: NumberedDisk, move: Move): void {
  const to = new Map(disk.before)
  for (const {key, before, after} of move.steps) {
    if (to.get(key) !== before || before === after)
      disk.broken('the steps of a move do not connect', `${move.frame} ${key}: ${before} to ${after}`)
    if (after === undefined) to.delete(key)
    else to.set(key, after)
  }
  payMove(disk, move, to)
}
