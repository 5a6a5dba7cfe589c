import type {StateCreator} from 'zustand/vanilla'
import type {AttemptRow} from '../../shared/contract/rows.ts'
import {createRowLog, type RowLog} from './row-log.ts'

const KEPT_ATTEMPTS = 5_000

export interface AttemptsSlice {
  /** By frame, then by number. Changed in place: depend on `attemptsVersion`. */
  readonly attempts: RowLog<AttemptRow>
  readonly attemptsVersion: number
  readonly addAttempts: (rows: readonly AttemptRow[]) => void
}

const byFrameAndNumber = (a: AttemptRow, b: AttemptRow): number => a.frame - b.frame || a.n - b.n

export const createAttemptsSlice: StateCreator<AttemptsSlice> = (set, get) => ({
  attempts: createRowLog(byFrameAndNumber),
  attemptsVersion: 0,
  addAttempts: (rows) => set(receiveAttempts(get(), rows)),
})

export function receiveAttempts(held: AttemptsSlice, rows: readonly AttemptRow[]): Partial<AttemptsSlice> {
  if (rows.length === 0) return {}
  for (const row of rows) held.attempts.put(row)
  held.attempts.dropOldest(KEPT_ATTEMPTS)
  return {attemptsVersion: held.attemptsVersion + 1}
}
