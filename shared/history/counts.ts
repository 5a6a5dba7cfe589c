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
  /** Gaps whose fields were valid, whatever became of them. */
  readonly gaps: number
}

export type Counter = keyof FrameCounts

const COUNTED = new Set<string>(['handled', 'rejected', 'skipped', 'discarded', 'malformed', 'control'])

/** The counters that one change raises by one. The one place for what is counted, in memory and on disk. */
export function countersOf(change: Change): readonly Counter[] {
  if (change.kind !== 'frameJournaled' && change.kind !== 'frameSettled') return []
  const counters: Counter[] = COUNTED.has(change.outcome) ? [change.outcome as Counter] : [] // by the line above
  if (change.kind === 'frameSettled') return counters
  return change.frame.kind === 'gap' ? ['frames', 'gaps', ...counters] : ['frames', ...counters]
}
