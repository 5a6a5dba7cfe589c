import type {Change} from '../../../shared/history/change.ts'
import type {JournaledFrame, Move} from '../../../shared/history/fact.ts'
import type {Step} from '../../../shared/position/position.ts'

type Journaled = Extract<Change, {kind: 'frameJournaled'}>
type Moved = Extract<Change, {kind: 'cursorMoved'}>
type Lists<Item> = readonly (readonly Item[])[]

/**
 * Lists of changes as they cross to another thread. The two kinds that come with every frame go as tuples, which are copied
 * three times as fast as objects; the bytes of all frames lie one after another in a buffer that is moved. Left in their
 * frames they would take along the whole chunk of the transport that they are views of, and views are the slowest of all.
 */
export interface PackedLists {
  readonly lists: Lists<PackedChange>
  readonly buffer: ArrayBuffer
}

type PackedChange = Exclude<Change, Journaled | Moved> | PackedFrame | PackedMove

type PackedFrame = readonly [
  what: 'frame',
  bytes: number,
  id: JournaledFrame['id'],
  source: JournaledFrame['source'],
  receivedAt: JournaledFrame['receivedAt'],
  kind: JournaledFrame['kind'],
  event: string,
  lane: JournaledFrame['lane'],
  sequence: JournaledFrame['sequence'],
  summary: string,
  size: number,
  cuts: JournaledFrame['cuts'],
  problem: JournaledFrame['problem'],
  redelivers: JournaledFrame['redelivers'],
  outcome: Journaled['outcome'],
  attempt: number,
]

type PackedMove = readonly [
  what: 'move',
  source: Move['source'],
  at: Move['at'],
  cause: Move['cause'],
  frame: Move['frame'],
  reason: Move['reason'],
  steps: readonly PackedStep[],
]

type PackedStep = readonly [key: Step['key'], before: Step['before'], after: Step['after']]

export function packChanges(lists: Lists<Change>): PackedLists {
  const all = lists.flat().flatMap((change) => (change.kind === 'frameJournaled' ? [change.frame.bytes] : []))
  const packed = new Uint8Array(all.reduce((sum, bytes) => sum + bytes.length, 0))
  let at = 0
  for (const bytes of all) {
    packed.set(bytes, at)
    at += bytes.length
  }
  return {lists: lists.map((list) => list.map(packChange)), buffer: packed.buffer}
}

export function unpackChanges({lists, buffer}: PackedLists): Lists<Change> {
  let at = 0
  const next = (length: number): Uint8Array => {
    at += length
    return new Uint8Array(buffer, at - length, length)
  }
  return lists.map((list) => list.map((packed) => unpackChange(packed, next)))
}

function packChange(change: Change): PackedChange {
  if (change.kind === 'frameJournaled') return packFrame(change)
  return change.kind === 'cursorMoved' ? packMove(change.move) : change
}

function unpackChange(packed: PackedChange, bytes: (length: number) => Uint8Array): Change {
  if (!isTuple(packed)) return packed
  return packed[0] === 'frame' ? unpackFrame(packed, bytes) : {kind: 'cursorMoved', move: unpackMove(packed)}
}

function isTuple(packed: PackedChange): packed is PackedFrame | PackedMove {
  return Array.isArray(packed)
}

function packFrame({frame, outcome, attempt}: Journaled): PackedFrame {
  const {id, source, receivedAt, kind, event, lane, sequence, summary, size, cuts, problem, redelivers} = frame
  const about = [id, source, receivedAt, kind, event, lane, sequence, summary, size, cuts, problem, redelivers] as const
  return ['frame', frame.bytes.length, ...about, outcome, attempt]
}

function unpackFrame(packed: PackedFrame, take: (length: number) => Uint8Array): Journaled {
  const [, length, id, source, receivedAt, kind, event, lane, sequence, summary, size, cuts, problem, redelivers] =
    packed
  const frame: Writable<JournaledFrame> = {
    id,
    source,
    receivedAt,
    kind,
    event,
    summary,
    size,
    cuts,
    bytes: take(length),
  }
  if (lane !== undefined) frame.lane = lane
  if (sequence !== undefined) frame.sequence = sequence
  if (problem !== undefined) frame.problem = problem
  if (redelivers !== undefined) frame.redelivers = redelivers
  return {kind: 'frameJournaled', frame, outcome: packed[14], attempt: packed[15]}
}

function packMove({source, at, cause, frame, reason, steps}: Move): PackedMove {
  return ['move', source, at, cause, frame, reason, steps.map(({key, before, after}) => [key, before, after] as const)]
}

function unpackMove([, source, at, cause, frame, reason, packed]: PackedMove): Move {
  const move: Writable<Move> = {source, at, cause, steps: packed.map(unpackStep)}
  if (frame !== undefined) move.frame = frame
  if (reason !== undefined) move.reason = reason
  return move
}

function unpackStep([key, before, after]: PackedStep): Step {
  const step: Writable<Step> = {key}
  if (before !== undefined) step.before = before
  if (after !== undefined) step.after = after
  return step
}

type Writable<T> = {-readonly [K in keyof T]: T[K]}
