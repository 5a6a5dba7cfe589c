import type {Change} from './change.ts'

/** How often each thing happened to the frames of a source. Deliveries count, not distinct frames: a redelivered one counts again. */
export interface FrameCounts {
  readonly frames: number
  readonly handled: number
  readonly rejected: number
  readonly skipped: number
  readonly discarded: number
  readonly malformed: number
  readonly control: number
  /** Gaps whose fields were valid, whatever became of them; one that comes again after it was rejected is the same gap. */
  readonly gaps: number
  /** Events that came again in their generation, and such of a generation that is over. */
  readonly duplicate: number
  readonly stale: number
  /** Snapshots that were complete, whatever they came to. */
  readonly snapshots: number
  /** Events and snapshots that showed numbers never seen. */
  readonly holes: number
  /** What the user decided where a numbering began anew. */
  readonly numberings: number
}

export type Counter = keyof FrameCounts

/** Counters named as what they count: outcomes. */
const OUTCOMES = ['handled', 'rejected', 'skipped', 'discarded', 'malformed', 'control', 'duplicate', 'stale'] as const

/** Every counter, by name. */
export const COUNTERS: readonly Counter[] = ['frames', ...OUTCOMES, 'gaps', 'snapshots', 'holes', 'numberings']

const COUNTED = new Set<string>(OUTCOMES)

/** A count of each, told by whoever knows it; mutable for whoever goes on counting. */
export function countsOf(count: (counter: Counter) => number): {-readonly [K in Counter]: number} {
  const told = Object.fromEntries(COUNTERS.map((counter) => [counter, count(counter)]))
  return told as {-readonly [K in Counter]: number} // made of COUNTERS, one line above
}

/** The counters that one change raises by one. The one place for what is counted, in memory and on disk. */
export function countersOf(change: Change): readonly Counter[] {
  if (change.kind === 'holeSeen') return ['holes']
  if (change.kind === 'numberingDecided') return ['numberings']
  if (change.kind !== 'frameJournaled' && change.kind !== 'frameSettled') return []
  const counters: Counter[] = COUNTED.has(change.outcome) ? [change.outcome as Counter] : [] // by the line above
  if (change.kind === 'frameSettled') return counters
  const {kind, redelivers} = change.frame
  if (kind === 'gap' && redelivers === undefined) return ['frames', 'gaps', ...counters]
  return kind === 'snapshot' ? ['frames', 'snapshots', ...counters] : ['frames', ...counters]
}
