import type {FrameRow} from '../../shared/contract/rows.ts'
import {scopedSources} from './selectors.ts'
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

interface Loss {
  readonly frame: number
  readonly source: string
  readonly receivedAt: number
}

/** The next older one after the selected frame, around to the newest. */
export function nextLoss(
  losses: Iterable<Loss>,
  scope: string | undefined,
  selected: number | undefined,
): Loss | undefined {
  const rows = [...losses]
    .filter(({source}) => scope === undefined || source === scope)
    .sort((a, b) => b.frame - a.frame)
  return rows.find(({frame}) => selected !== undefined && frame < selected) ?? rows[0]
}

/** Gaps that were declared and holes that were seen, in one order. */
export function selectNextLoss(store: AppStore): void {
  const {gaps, holes, scope, selectedFrame, selectFrame} = store.getState()
  const loss = nextLoss([...gaps.values(), ...holes.values()], scope, selectedFrame)
  if (loss !== undefined) selectFrame(loss.source, loss.frame, loss.receivedAt)
}

/** The next source in scope whose callback is open or which is held; around to the first. */
export function selectNextCallback(store: AppStore): void {
  const {selectedFrame, selectFrame} = store.getState()
  const open = scopedSources(store.getState()).flatMap((view) => {
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
