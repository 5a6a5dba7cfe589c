import type {Passed} from './point.ts'

/** What earlier lives said to be durable. Grows from death to death. */
export interface Promised {
  /** By id, the frame that was journaled under it. */
  readonly journaled: Map<number, string>
  /** By frame, how its last settling ended. */
  readonly settled: Map<string, string>
  /** Positions that screens were shown. */
  readonly shown: Set<string>
}

export function createPromised(): Promised {
  return {journaled: new Map(), settled: new Map(), shown: new Set()}
}

export function notePromises(promised: Promised, passed: readonly Passed[]): void {
  for (const {point, frames, ids = [], outcomes = [], position} of passed) {
    if (point === 'journaled' || point === 'settled')
      for (const [n, id] of ids.entries()) promised.journaled.set(id, frames[n] ?? '')
    if (point === 'settled') for (const [n, frame] of frames.entries()) promised.settled.set(frame, outcomes[n] ?? '')
    if (position !== undefined) promised.shown.add(position)
  }
}
