import type {StateCreator} from 'zustand/vanilla'
import type {HoleRow} from '../../shared/contract/rows.ts'

const KEPT_HOLES = 5_000

export interface HolesSlice {
  /** Numbers never seen, as far as they were asked for, by the frame that showed them. What was once observed does not change. */
  readonly holes: ReadonlyMap<number, HoleRow>
  /** Give as `before` for the next, older page; absent at the beginning. */
  readonly holesOlder: number | undefined
  readonly showHoles: (rows: readonly HoleRow[], older: number | undefined) => void
}

export const createHolesSlice: StateCreator<HolesSlice> = (set, get) => ({
  holes: new Map(),
  holesOlder: undefined,
  showHoles: (rows, holesOlder) => set({holes: receiveHoles(get().holes, rows), holesOlder}),
})

export function receiveHoles(
  held: ReadonlyMap<number, HoleRow>,
  rows: readonly HoleRow[],
): ReadonlyMap<number, HoleRow> {
  if (rows.length === 0) return held
  const holes = new Map(held)
  for (const row of rows) holes.set(row.frame, row)
  const oldest =
    holes.size > KEPT_HOLES ? [...holes.keys()].sort((a, b) => a - b).slice(0, holes.size - KEPT_HOLES) : []
  for (const frame of oldest) holes.delete(frame)
  return holes
}
