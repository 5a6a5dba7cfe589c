import type {StateCreator} from 'zustand/vanilla'
import type {ChangeBatch} from '../../shared/contract/contract.ts'
import type {GapRow} from '../../shared/contract/rows.ts'

const KEPT_GAPS = 5_000

export interface GapsSlice {
  /** The ledger as far as it was asked for, by the frame of each gap. */
  readonly gaps: ReadonlyMap<number, GapRow>
  /** Give as `before` for the next, older page; absent at the beginning. */
  readonly gapsOlder: number | undefined
  readonly gapsKnown: boolean
  /** @param before - the ledger as it was when the engine was asked: what changed since came by a batch and stays. Absent: nothing did. */
  readonly showGaps: (rows: readonly GapRow[], older: number | undefined, before?: ReadonlyMap<number, GapRow>) => void
}

export const createGapsSlice: StateCreator<GapsSlice> = (set, get) => ({
  gaps: new Map(),
  gapsOlder: undefined,
  gapsKnown: false,
  showGaps: (rows, gapsOlder, before = get().gaps) => {
    const {gaps} = get()
    const unchanged = rows.filter(({frame}) => gaps.get(frame) === before.get(frame))
    set({gaps: receiveGaps(gaps, unchanged), gapsOlder, gapsKnown: true})
  },
})

export function receiveGaps(held: ReadonlyMap<number, GapRow>, rows: readonly GapRow[]): ReadonlyMap<number, GapRow> {
  if (rows.length === 0) return held
  const gaps = new Map(held)
  for (const row of rows) gaps.set(row.frame, withAccount(row, held.get(row.frame)?.account))
  const oldest = gaps.size > KEPT_GAPS ? [...gaps.keys()].sort((a, b) => a - b).slice(0, gaps.size - KEPT_GAPS) : []
  for (const frame of oldest) gaps.delete(frame)
  return gaps
}

/** What the user said stands, however often the gap itself is told again. */
function withAccount(row: GapRow, said: GapRow['account']): GapRow {
  return row.account !== undefined || said === undefined ? row : {...row, account: said}
}

export function receiveAccounts(
  held: ReadonlyMap<number, GapRow>,
  accounts: ChangeBatch['gapAccounts'],
): ReadonlyMap<number, GapRow> {
  if (accounts.length === 0) return held
  const gaps = new Map(held)
  for (const {frame, at, note} of accounts) {
    const gap = gaps.get(frame)
    if (gap !== undefined) gaps.set(frame, {...gap, account: {at, note}})
  }
  return gaps
}
