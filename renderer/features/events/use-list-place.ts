import {type RefObject, useCallback, useEffect, useLayoutEffect, useRef} from 'react'
import type {FrameRow} from '../../../shared/contract/rows.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'

/** Height of a row in CSS px; the stylesheet has the same. */
export const ROW_PX = 28

/** Height of the head, which covers the top of the scrolled rows. */
const HEAD_PX = 28

/** From how far above the end older rows are asked for. */
const NEAR_END_PX = 20 * ROW_PX

interface Place {
  /** The frame at the upper edge, and how far it is scrolled past it. */
  readonly frame: number
  readonly offsetPx: number
  /** The scroll position as last heard of: to ask the page for it would make it lay itself out at every batch. */
  readonly topPx: number
}

/**
 * Keeps the reader's place: at the top the list follows; anywhere else it is frozen, and where rows must go from its
 * upper end, the scroll position goes with them. Brings a frame that was selected elsewhere into view.
 */
export function useListPlace(scroller: RefObject<HTMLDivElement | null>): () => void {
  const {store, actions} = useAppContext()
  const place = useRef<Place | undefined>(undefined)
  const version = useApp((state) => state.listVersion)
  const frozen = useApp((state) => state.listFrozen)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the log is changed in place, and its version says so
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const {rows} = store.getState().list
    // Who begins to read at the top has not scrolled: the place is where the list stops.
    if (frozen) place.current ??= placeAt(rows, 0)
    const top = frozen ? topOf(place.current, rows) : 0
    if (top !== undefined && Math.abs((place.current?.topPx ?? 0) - top) >= 1) element.scrollTop = top
    // A list that follows has no place but its top; an earlier one would be gone back to when it stops.
    if (!frozen) place.current = undefined
  }, [version, frozen, scroller, store])

  useSelectionInView(scroller)

  return useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const {list, live, listFrozen, listWaiting, listBroken, freezeList} = store.getState()
    const {scrollTop} = element
    place.current = placeAt(list.rows, scrollTop)
    if (scrollTop > 4 && !listFrozen) freezeList()
    if (scrollTop <= 0 && listFrozen && live && listWaiting === 0 && !listBroken) actions.follow()
    if (element.scrollHeight - scrollTop - element.clientHeight < NEAR_END_PX) void actions.loadOlder()
  }, [scroller, store, actions])
}

function placeAt(rows: readonly FrameRow[], scrollTop: number): Place | undefined {
  const index = Math.floor(scrollTop / ROW_PX)
  const row = rows[rows.length - 1 - index]
  return row === undefined ? undefined : {frame: row.id, offsetPx: scrollTop - index * ROW_PX, topPx: scrollTop}
}

/** Where the scroll position must be for the place to stay. */
function topOf(place: Place | undefined, rows: readonly FrameRow[]): number | undefined {
  if (place === undefined) return undefined
  const index = rows.findIndex(({id}) => id === place.frame)
  return index < 0 ? undefined : (rows.length - 1 - index) * ROW_PX + place.offsetPx
}

function useSelectionInView(scroller: RefObject<HTMLDivElement | null>): void {
  const {store, actions} = useAppContext()
  const selected = useApp((state) => state.selectedFrame)
  const ready = useApp((state) => state.listStatus.kind === 'ready')
  const version = useApp((state) => state.listVersion)
  const shown = useRef<number | undefined>(undefined)
  const asked = useRef<number | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log is changed in place, and its version says so
  useEffect(() => {
    const element = scroller.current
    if (selected === undefined) shown.current = undefined
    if (element === null || selected === undefined || shown.current === selected || !ready) return
    const {rows} = store.getState().list
    const index = rows.findIndex(({id}) => id === selected)
    if (index >= 0) {
      shown.current = selected
      bringIntoView(element, (rows.length - 1 - index) * ROW_PX)
    } else if (asked.current !== selected) {
      asked.current = selected
      void actions.showInList(selected)
    }
  }, [selected, ready, version, scroller, store, actions])
}

function bringIntoView(element: HTMLElement, top: number): void {
  const viewPx = element.clientHeight - HEAD_PX
  if (top >= element.scrollTop && top + ROW_PX <= element.scrollTop + viewPx) return
  element.scrollTop = top < element.scrollTop ? Math.max(0, top - ROW_PX) : top + 2 * ROW_PX - viewPx
}
