import type {FrameRow, GapRow} from '../../shared/contract/rows.ts'
import type {AppStore} from './store.ts'

/**
 * Selects the next row of the list: `older` goes down, as the list shows newest first. Reading by keys freezes the list,
 * so that rows do not run away under the reader.
 */
export function moveSelection(store: AppStore, direction: 'older' | 'newer'): void {
  const {list, selectedFrame, freezeList} = store.getState()
  const next = nextRow(list.rows, selectedFrame, direction)
  if (next === undefined) return
  freezeList()
  selectRow(store, next)
}

/** @param rows - oldest first */
export function nextRow(
  rows: readonly FrameRow[],
  selected: number | undefined,
  direction: 'older' | 'newer',
): FrameRow | undefined {
  if (selected === undefined) return rows.at(-1)
  return direction === 'older' ? rows.findLast(({id}) => id < selected) : rows.find(({id}) => id > selected)
}

/** The next older gap after the selected frame, around to the newest. */
export function nextGap(
  gaps: ReadonlyMap<number, GapRow>,
  scope: string | undefined,
  selected: number | undefined,
): GapRow | undefined {
  const rows = [...gaps.values()]
    .filter(({source}) => scope === undefined || source === scope)
    .sort((a, b) => b.frame - a.frame)
  return rows.find(({frame}) => selected !== undefined && frame < selected) ?? rows[0]
}

export function selectNextGap(store: AppStore): void {
  const {gaps, scope, selectedFrame, selectFrame} = store.getState()
  const gap = nextGap(gaps, scope, selectedFrame)
  if (gap !== undefined) selectFrame(gap.source, gap.frame, gap.receivedAt)
}

/** The next source, in the order of the board's names, whose callback is open or which is held; around to the first. */
export function selectNextCallback(store: AppStore): void {
  const {sources, selectedFrame, selectFrame} = store.getState()
  const open = [...sources.values()].flatMap((view) => {
    const frame = view.openAttempt?.frame ?? view.connection.frame
    const at = view.openAttempt?.startedAt ?? view.connection.at
    return frame === undefined ? [] : [{source: view.id, frame, at}]
  })
  const current = open.findIndex(({frame}) => frame === selectedFrame)
  const next = open[(current + 1) % open.length]
  if (next !== undefined) selectFrame(next.source, next.frame, next.at)
}

function selectRow(store: AppStore, row: FrameRow): void {
  store.getState().selectFrame(row.source, row.id, row.receivedAt)
}
