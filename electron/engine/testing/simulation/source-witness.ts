import type {StoredSource} from '../../store/store.ts'
import {type Durable, judgeDurable, type SourceChange} from './durable-rules.ts'
import {areEqual, inWords} from './fold.ts'
import type {Vector} from './reading.ts'
import {createReceipts} from './receipts.ts'
import {createRuns, type Run} from './runs.ts'
import type {Verdict} from './verdict.ts'

/**
 * Watches the disk on behalf of one source, and holds it to the rules: from what the server sent, what the callbacks did and
 * what the user asked for it works out itself where the source must stand. It knows nothing of how the engine does it.
 */
export interface SourceWitness {
  readonly opened: (from: number | 'head') => void
  readonly lifeOver: () => void
  /** The engine took this block from its stream. */
  readonly received: (block: string) => void
  /** The engine asks for these to be written. */
  readonly asked: (changes: readonly SourceChange[]) => void
  /** These are on the disk now. */
  readonly durable: (changes: readonly SourceChange[]) => void
  readonly abortedOpen: () => void
  readonly began: (key: string, attempt: number) => Run
  readonly userSkips: (frame: number) => void
  readonly checkLoaded: (stored: StoredSource) => void
  readonly position: () => Vector
  readonly vectorSeen: () => boolean
  readonly unhandled: () => number
  /** Events of this label that were handled. */
  readonly handled: (label: string) => number
}

export function createSourceWitness(name: string, hasCallbacks: boolean, verdict: Verdict): SourceWitness {
  const disk: Durable = {
    hasCallbacks,
    broken: (rule, detail) => verdict.broken(rule, `${name}: ${detail}`),
    receipts: createReceipts(),
    runs: createRuns(),
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
    opened: (from) => disk.receipts.opened(from, hasGapWaiting(disk)),
    lifeOver: disk.receipts.lifeOver,
    received: disk.receipts.received,
    asked: (changes) => checkCallbacksRan(disk, changes),
    durable: (changes) => judgeDurable(disk, changes),
    abortedOpen() {
      for (const one of disk.kept.values()) one.attemptOpen = false
    },
    began: (key, attempt) => beginRun(disk, key, attempt),
    userSkips: (frame) => void disk.maySkip.add(frame),
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

/** What is about to be written as handled was handled: its callback resolved, and not another attempt's. */
function checkCallbacksRan({hasCallbacks, kept, runs, broken}: Durable, changes: readonly SourceChange[]): void {
  for (const change of changes) {
    if (change.kind !== 'frameSettled' || change.outcome !== 'handled' || !hasCallbacks) continue
    const one = kept.get(change.frame)
    if (one !== undefined && runs.state(one.told.key, change.attempt) !== 'resolved')
      broken('a frame was handled before its callback resolved', `${change.frame} attempt ${change.attempt}`)
  }
}

function beginRun({unhandled, runs, broken}: Durable, key: string, attempt: number): Run {
  const one = [...unhandled.values()].find(({told}) => told.key === key)
  if (one === undefined || one.attempts !== attempt || !one.attemptOpen)
    broken('a callback began before its frame and attempt were durable', `attempt ${attempt} of ${key}`)
  if (runs.count(key) > 0 && attempt < 2) broken('a second effect was called the first attempt', key)
  return runs.begin(key, attempt)
}

function checkLoaded({unhandled, position, vectorSeen, broken}: Durable, stored: StoredSource): void {
  const expected = [...unhandled.values()].map(({id, attempts}) => `${id} after ${attempts}`)
  const loaded = stored.unhandled.map(({frame, attempts}) => `${frame.id} after ${attempts}`)
  const fits = areEqual(stored.position, position) && stored.vectorSeen === vectorSeen
  if (!fits || String(loaded) !== String(expected))
    broken('what was loaded is not what is durable', `${loaded} for ${expected}, ${inWords(stored.position)}`)
}
