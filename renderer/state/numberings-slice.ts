import type {StateCreator} from 'zustand/vanilla'
import type {FrameRow, NumberingRow} from '../../shared/contract/rows.ts'

export interface NumberingsSlice {
  /** Numberings that began anew and what the user said, as far as they were asked for, by the first frame of the new one. */
  readonly numberings: ReadonlyMap<number, NumberingRow>
  /** Give as `before` for the next, older page; absent at the beginning. */
  readonly numberingsOlder: number | undefined
  readonly showNumberings: (rows: readonly NumberingRow[], older: number | undefined) => void
}

export const createNumberingsSlice: StateCreator<NumberingsSlice> = (set, get) => ({
  numberings: new Map(),
  numberingsOlder: undefined,
  showNumberings: (rows, numberingsOlder) => set({numberings: withRows(get().numberings, rows), numberingsOlder}),
})

/** A frame tells it itself, once it was decided. */
export function receiveNumberings(
  held: ReadonlyMap<number, NumberingRow>,
  frames: readonly FrameRow[],
): ReadonlyMap<number, NumberingRow> {
  const rows = frames.flatMap(({id: frame, source, receivedAt, settledAt, numbering}): readonly NumberingRow[] =>
    numbering === undefined || settledAt === undefined
      ? []
      : [{...numbering, frame, source, receivedAt, decidedAt: settledAt}],
  )
  return withRows(held, rows)
}

function withRows(
  held: ReadonlyMap<number, NumberingRow>,
  rows: readonly NumberingRow[],
): ReadonlyMap<number, NumberingRow> {
  return rows.length === 0 ? held : new Map([...held, ...rows.map((row) => [row.frame, row] as const)])
}
