import type {StateCreator} from 'zustand/vanilla'
import type {AttemptRow} from '../../shared/contract/rows.ts'
import {createRowLog, type RowLog} from './row-log.ts'

const KEPT_ATTEMPTS = 5_000

export interface AttemptsSlice {
  /** By frame, then by number. Changed in place: depend on `attemptsVersion`. */
  readonly attempts: RowLog<AttemptRow>
  readonly attemptsVersion: number
  /** Rows of an answer. Those that came live are at least as new, and stay. */
  readonly addAttempts: (rows: readonly AttemptRow[]) => void
}

const byFrameAndNumber = (a: AttemptRow, b: AttemptRow): number => a.frame - b.frame || a.n - b.n

export const createAttemptsSlice: StateCreator<AttemptsSlice> = (set, get) => ({
  attempts: createRowLog(byFrameAndNumber),
  attemptsVersion: 0,
  addAttempts: (rows) => {
    const {attempts} = get()
    set(
      receiveAttempts(
        get(),
        rows.filter((row) => attempts.find(row) === undefined),
      ),
    )
  },
})

export function receiveAttempts(held: AttemptsSlice, rows: readonly AttemptRow[]): Partial<AttemptsSlice> {
  if (rows.length === 0) return {}
  for (const row of rows) held.attempts.put(row)
  held.attempts.dropOldest(KEPT_ATTEMPTS)
  return {attemptsVersion: held.attemptsVersion + 1}
}

/** Where changes were lost, what is held may be out of date. */
export function forgetAttempts(held: AttemptsSlice): Partial<AttemptsSlice> {
  held.attempts.replaceAll([])
  return {attemptsVersion: held.attemptsVersion + 1}
}
