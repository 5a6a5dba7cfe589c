import type {Change} from '../../../shared/history/change.ts'
import type {JournaledFrame, Move} from '../../../shared/history/fact.ts'
import type {Step} from '../../../shared/position/position.ts'
import {createPacking, createUnpacking, type Packed, type Packing, type Unpacking} from './packing.ts'

type Journaled = Extract<Change, {kind: 'frameJournaled'}>
type Lists<Item> = readonly (readonly Item[])[]

/**
 * Lists of changes as they cross to another thread. The two kinds that come with every frame go field by field, which costs a
 * fifth of copying them as objects; the bytes of all frames lie one after another in a buffer that is moved. Left in their
 * frames they would take along the whole chunk of the transport that they are views of, and views are the slowest of all.
 */
export interface PackedLists extends Packed {
  /** How many changes each list has. */
  readonly lengths: readonly number[]
  readonly buffer: ArrayBuffer
}

const FRAME = 0
const MOVE = 1
const OTHER = 2

export function packChanges(lists: Lists<Change>): PackedLists {
  const packing = createPacking()
  const all: Uint8Array[] = []
  for (const list of lists) {
    for (const change of list) {
      packChange(change, packing)
      if (change.kind === 'frameJournaled') all.push(change.frame.bytes)
    }
  }
  return {...packing.packed(), lengths: lists.map(({length}) => length), buffer: joined(all)}
}

export function unpackChanges({lengths, buffer, ...packed}: PackedLists): Lists<Change> {
  const unpacking = createUnpacking(packed)
  let at = 0
  const bytes = (length: number): Uint8Array => {
    at += length
    return new Uint8Array(buffer, at - length, length)
  }
  return lengths.map((length) => times(length, () => unpackChange(unpacking, bytes)))
}

/** `Array.from` would take a third of the whole unpacking. */
function times<T>(count: number, make: () => T): readonly T[] {
  const made: T[] = []
  for (let n = 0; n < count; n++) made.push(make())
  return made
}

function joined(all: readonly Uint8Array[]): ArrayBuffer {
  const whole = new Uint8Array(all.reduce((sum, bytes) => sum + bytes.length, 0))
  let at = 0
  for (const bytes of all) {
    whole.set(bytes, at)
    at += bytes.length
  }
  return whole.buffer
}

function packChange(change: Change, to: Packing): void {
  if (change.kind === 'frameJournaled') packFrame(change, to)
  else if (change.kind === 'cursorMoved') packMove(change.move, to)
  else {
    to.number(OTHER)
    to.other(change)
  }
}

/** Everything below was packed by this file, from the types that it is cast to. */
function unpackChange(from: Unpacking, bytes: (length: number) => Uint8Array): Change {
  const what = from.number()
  if (what === FRAME) return unpackFrame(from, bytes)
  return what === MOVE ? {kind: 'cursorMoved', move: unpackMove(from)} : (from.other() as Change)
}

function packFrame({frame, outcome, attempt}: Journaled, to: Packing): void {
  to.number(FRAME)
  to.number(frame.id)
  to.word(frame.source)
  to.number(frame.receivedAt)
  to.word(frame.kind)
  to.word(frame.event)
  to.word(frame.lane)
  to.number(frame.sequence)
  to.text(frame.summary)
  to.number(frame.bytes.length)
  to.number(frame.size)
  to.number(frame.cuts.length)
  for (const cut of frame.cuts) to.number(cut)
  to.other(frame.problem)
  to.other(frame.context)
  to.number(frame.redelivers)
  to.word(outcome)
  to.number(attempt)
}

function unpackFrame(from: Unpacking, bytes: (length: number) => Uint8Array): Journaled {
  const id = from.number() as JournaledFrame['id']
  const source = from.word() as JournaledFrame['source']
  const receivedAt = from.number() as JournaledFrame['receivedAt']
  const kind = from.word() as JournaledFrame['kind']
  const event = from.word()
  const lane = from.optionalWord() as JournaledFrame['lane']
  const sequence = from.optionalNumber() as JournaledFrame['sequence']
  const summary = from.word()
  const kept = bytes(from.number())
  const size = from.number()
  const cuts = times(from.number(), from.number)
  const problem = from.other() as JournaledFrame['problem']
  const context = from.other() as JournaledFrame['context']
  const redelivers = from.optionalNumber() as JournaledFrame['redelivers']
  const frame: Writable<JournaledFrame> = {id, source, receivedAt, kind, event, summary, bytes: kept, size, cuts}
  if (lane !== undefined) frame.lane = lane
  if (sequence !== undefined) frame.sequence = sequence
  if (problem !== undefined) frame.problem = problem
  if (context !== undefined) frame.context = context
  if (redelivers !== undefined) frame.redelivers = redelivers
  return {kind: 'frameJournaled', frame, outcome: from.word() as Journaled['outcome'], attempt: from.number()}
}

function packMove({source, at, cause, frame, reason, steps}: Move, to: Packing): void {
  to.number(MOVE)
  to.word(source)
  to.number(at)
  to.word(cause)
  to.number(frame)
  to.word(reason)
  to.number(steps.length)
  for (const {key, before, after} of steps) {
    to.word(key)
    to.number(before)
    to.number(after)
  }
}

function unpackMove(from: Unpacking): Move {
  const source = from.word() as Move['source']
  const at = from.number() as Move['at']
  const cause = from.word() as Move['cause']
  const frame = from.optionalNumber() as Move['frame']
  const reason = from.optionalWord()
  const steps = times(from.number(), () => unpackStep(from))
  const move: Writable<Move> = {source, at, cause, steps}
  if (frame !== undefined) move.frame = frame
  if (reason !== undefined) move.reason = reason
  return move
}

function unpackStep(from: Unpacking): Step {
  const step: Writable<Step> = {key: from.word() as Step['key']}
  const before = from.optionalNumber() as Step['before']
  const after = from.optionalNumber() as Step['after']
  if (before !== undefined) step.before = before
  if (after !== undefined) step.after = after
  return step
}

type Writable<T> = {-readonly [K in keyof T]: T[K]}
