import type {Attempt} from '../../../../shared/history/fact.ts'
import type {StoredSource} from '../../store/store.ts'
import {calledBy, type Durable, judgeDurable, outcomeAlone, type SourceChange} from './durable-rules.ts'
import {areEqual, inWords} from './fold.ts'
import {createHandlerLists} from './handler-lists.ts'
import type {SwitchPlan} from './plan.ts'
import {readTold} from './reading.ts'
import {createReceipts} from './receipts.ts'
import {createRuns} from './runs.ts'
import {type Begun, beginRun, judgeEnd, mayCome} from './turns.ts'
import type {Verdict} from './verdict.ts'
import type {Witness} from './witness.ts'

/**
 * Watches the disk on behalf of one Switch source: from what the server sent, what the callbacks did and what the user asked for
 * it works out itself where the source must stand.
 */
export interface SourceWitness extends Witness {
  readonly opened: (from: number | 'head') => void
  /** The engine took this block from its stream. */
  readonly received: (block: string) => void
  /** Events of this label that were handled. */
  readonly handled: (label: string) => number
}

export function createSourceWitness(plan: SwitchPlan, now: () => number, verdict: Verdict): SourceWitness {
  const {name, hasCallbacks, handlers} = plan
  const broken: Durable['broken'] = (rule, detail) => verdict.broken(rule, `${name}: ${detail}`)
  const lists = createHandlerLists(handlers, now)
  const disk: Durable = {
    broken,
    receipts: createReceipts(),
    turns: {hasCallbacks, lists, runs: createRuns(), broken, now, word: false},
    mayBe: new Map(),
    kept: new Map(),
    unhandled: new Map(),
    maySkip: new Set(),
    labels: new Map(),
    position: new Map(),
    vectorSeen: false,
    vectorOwed: false,
    owed: undefined,
    lastMove: undefined,
  }
  return {
    opened(from) {
      lists.reached()
      disk.receipts.opened(from, hasGapWaiting(disk))
    },
    lifeOver: disk.receipts.lifeOver,
    received: disk.receipts.received,
    asked: (changes) => judgeAsked(disk, changes),
    durable: (changes) => judgeDurable(disk, changes),
    abortedOpen() {
      for (const one of disk.kept.values()) one.attemptOpen = false
    },
    began: (begun) => beginRun(disk.turns, waitingFor(disk, begun), begun),
    userSkips: (frame) => void disk.maySkip.add(frame),
    userRetries() {
      disk.turns.word = true
    },
    lists,
    checkLoaded: (stored) => checkLoaded(disk, stored),
    position: () => disk.position,
    vectorSeen: () => disk.vectorSeen,
    unhandled: () => disk.unhandled.size,
    handled: (label) => disk.labels.get(label) ?? 0,
  }
}

function hasGapWaiting({unhandled}: Durable): boolean {
  return [...unhandled.values()].some(({told}) => told.meaning.kind === 'gap')
}

function waitingFor({unhandled}: Durable, {run}: Begun) {
  return [...unhandled.values()].find(({told}) => told.key === run.key)
}

/** What is about to be written as handled was handled: what had to run for it resolved, in this attempt, or nothing had to. */
function judgeAsked(disk: Durable, changes: readonly SourceChange[]): void {
  const ended = new Map<number, Attempt>()
  for (const change of changes) {
    if (change.kind === 'frameJournaled') noteAsked(disk, change)
    if (change.kind === 'attemptEnded') ended.set(change.attempt.frame, change.attempt)
  }
  for (const change of changes) {
    if (change.kind !== 'frameSettled' || (change.outcome !== 'handled' && change.outcome !== 'discarded')) continue
    const one = disk.kept.get(change.frame)
    const lists = disk.turns.lists.since(disk.turns.now())
    if (one !== undefined && !ended.has(one.id) && !mayCome(disk.turns, one, lists).alone)
      disk.broken('a frame was handled before its callback resolved', `${change.frame} without an attempt`)
  }
  for (const [frame, attempt] of ended) {
    const one = disk.kept.get(frame)
    if (one !== undefined) judgeEnd(disk.turns, one, attempt)
  }
}

function noteAsked(disk: Durable, {frame}: Extract<SourceChange, {kind: 'frameJournaled'}>): void {
  const told = readTold(Buffer.from(frame.bytes).toString('utf8'))
  if (told === undefined) return void disk.mayBe.set(frame.id, ['control', 'malformed'])
  const lists = disk.turns.lists.since(disk.turns.now())
  const {alone, called} = mayCome(disk.turns, calledBy(disk, frame.id, told), lists)
  disk.mayBe.set(frame.id, [...(alone ? [outcomeAlone(told)] : []), ...(called ? (['pending'] as const) : [])])
}

function checkLoaded({unhandled, position, vectorSeen, broken}: Durable, stored: StoredSource): void {
  const expected = [...unhandled.values()].map(({id, attempts}) => `${id} after ${attempts}`)
  const loaded = stored.unhandled.map(({frame, attempts}) => `${frame.id} after ${attempts}`)
  const fits = areEqual(stored.position, position) && stored.vectorSeen === vectorSeen
  if (!fits || String(loaded) !== String(expected))
    broken('what was loaded is not what is durable', `${loaded} for ${expected}, ${inWords(stored.position)}`)
}
