import type {StateCreator} from 'zustand/vanilla'
import type {GapRow} from '../../shared/contract/rows.ts'

const KEPT_GAPS = 5_000

export interface GapsSlice {
  /** The ledger as far as it was asked for, by the frame of each gap. */
  readonly gaps: ReadonlyMap<number, GapRow>
  /** Give as `before` for the next, older page; absent at the beginning. */
  readonly gapsOlder: number | undefined
  readonly gapsKnown: boolean
  readonly showGaps: (rows: readonly GapRow[], older: number | undefined) => void
}

export const createGapsSlice: StateCreator<GapsSlice> = (set, get) => ({
  gaps: new Map(),
  gapsOlder: undefined,
  gapsKnown: false,
  showGaps: (rows, gapsOlder) => set({gaps: receiveGaps(get().gaps, rows), gapsOlder, gapsKnown: true}),
})

export function receiveGaps(held: ReadonlyMap<number, GapRow>, rows: readonly GapRow[]): ReadonlyMap<number, GapRow> {
  if (rows.length === 0) return held
  const gaps = new Map(held)
  for (const row of rows) gaps.set(row.frame, row)
  const oldest = gaps.size > KEPT_GAPS ? [...gaps.keys()].sort((a, b) => a - b).slice(0, gaps.size - KEPT_GAPS) : []
  for (const frame of oldest) gaps.delete(frame)
  return gaps
}
