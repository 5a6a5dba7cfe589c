import type {StateCreator} from 'zustand/vanilla'
import type {FrameFilter, FramesPage, RequestError} from '../../shared/contract/contract.ts'
import type {FrameRow} from '../../shared/contract/rows.ts'
import {matchesFilter} from './frame-filter.ts'
import {createRowLog, type RowLog} from './row-log.ts'

/** How many frames a screen keeps; the history itself stays in the store. */
export const WINDOW_ROWS = 5_000

export type FrameLog = RowLog<FrameRow>

export const byId = (a: FrameRow, b: FrameRow): number => a.id - b.id

export interface HistorySlice {
  /** The newest frames of all sources as they came, oldest first. Changed in place: depend on `recentVersion`. */
  readonly recent: FrameLog
  readonly recentVersion: number
  /** The highest id dropped from `recent`, which is bounded and holds nothing that may be out of date; -1 where none was. */
  readonly recentLost: number
  /** Grows when `recent` was emptied because changes were lost: whoever keeps an answer beside it must ask again. */
  readonly recentEpoch: number
  /** What the event list shows: the filtered window. Changed in place: depend on `listVersion`. */
  readonly list: FrameLog
  readonly listVersion: number
  readonly filter: FrameFilter
  readonly listStatus: ListStatus
  /** Give as `before` to get the next, older page; absent at the beginning of the history. */
  readonly listOlder: number | undefined
  /** The reader is not at the newest row, or paused: rows that come are counted, not inserted, so that nothing moves. */
  readonly listFrozen: boolean
  readonly listWaiting: number
  /** Frames the engine left out of batches since the list was last asked for: they are in the history, not in this list. */
  readonly listLeftOut: number
  /** Waiting rows can no longer be taken from `recent`: the list must be asked for again. */
  readonly listBroken: boolean
  readonly setFilter: (filter: FrameFilter) => void
  readonly showPage: (page: FramesPage) => void
  readonly showOlderPage: (page: FramesPage) => void
  /** A page from the middle of the history, around a frame that was chosen elsewhere: frozen, with newer rows left out. */
  readonly showPageAround: (page: FramesPage) => void
  /** The rows of a frozen list as they are now. None is added, and what waited must be asked for. */
  readonly refreshRows: (rows: readonly FrameRow[]) => void
  readonly setListStatus: (status: ListStatus) => void
  readonly freezeList: () => void
  /** Takes in what waited. Only where `listBroken` is false. */
  readonly thawList: () => void
}

export type ListStatus =
  | {readonly kind: 'loading'}
  | {readonly kind: 'ready'}
  | {readonly kind: 'failed'; readonly error: RequestError}

export const createHistorySlice: StateCreator<HistorySlice> = (set, get) => ({
  recent: createRowLog(byId),
  recentVersion: 0,
  recentLost: -1,
  recentEpoch: 0,
  list: createRowLog(byId),
  listVersion: 0,
  filter: {},
  listStatus: {kind: 'loading'},
  listOlder: undefined,
  listFrozen: false,
  listWaiting: 0,
  listLeftOut: 0,
  listBroken: false,
  setFilter: (filter) => set({filter}),
  showPage: (page) => set(firstPage(get(), page)),
  showOlderPage: (page) => set(olderPage(get(), page)),
  showPageAround: (page) => set(pageAround(get(), page)),
  refreshRows: (rows) => set(refreshed(get(), rows)),
  setListStatus: (listStatus) => set({listStatus}),
  freezeList: () => set({listFrozen: true}),
  thawList: () => set(thawed(get())),
})

/** The frames of one batch, or of several at once. */
export function receiveFrames(held: HistorySlice, frames: readonly FrameRow[], leftOut: number): Partial<HistorySlice> {
  if (frames.length === 0 && leftOut === 0) return {}
  // A row that was counted when it came must not count again when its outcome changes.
  const news = held.listFrozen ? frames.filter((row) => isNews(held, row)) : []
  // What became of them may be among the frames left out.
  const doubtful = leftOut > 0 ? held.recent.removeWhere(mayChange) : undefined
  for (const row of frames) held.recent.put(row)
  const dropped = held.recent.dropOldest(WINDOW_ROWS)
  const recentLost = Math.max(held.recentLost, dropped?.id ?? -1, doubtful?.id ?? -1)
  return {
    recentVersion: held.recentVersion + 1,
    recentLost,
    ...(held.listFrozen ? wait(held, frames, news, leftOut, recentLost) : insertLive(held, frames, leftOut)),
  }
}

/** Whether the row may come again with another outcome. */
export function mayChange({outcome}: FrameRow): boolean {
  return outcome === 'pending' || outcome === 'rejected'
}

/** Where changes were lost, what is held may be out of date. */
export function forgetRecent(held: HistorySlice): Partial<HistorySlice> {
  const recentLost = newestHeard(held)
  held.recent.replaceAll([])
  return {recentVersion: held.recentVersion + 1, recentEpoch: held.recentEpoch + 1, recentLost}
}

/** The highest id that ever was in `recent`; -1 for none. */
export function newestHeard({recent, recentLost}: HistorySlice): number {
  return Math.max(recent.rows.at(-1)?.id ?? -1, recentLost)
}

/** Whether the row begins to belong to the list with this batch. */
function isNews(held: HistorySlice, row: FrameRow): boolean {
  if (!matchesFilter(row, held.filter) || row.id <= held.recentLost || held.list.find(row) !== undefined) return false
  const before = held.recent.find(row)
  return before === undefined || !matchesFilter(before, held.filter)
}

function wait(
  held: HistorySlice,
  frames: readonly FrameRow[],
  news: readonly FrameRow[],
  leftOut: number,
  recentLost: number,
): Partial<HistorySlice> {
  const shown = frames.filter((row) => held.list.find(row) !== undefined)
  for (const row of shown) held.list.put(row)
  const newestShown = held.list.rows.at(-1)?.id ?? -1
  return {
    ...(shown.length > 0 ? {listVersion: held.listVersion + 1} : {}),
    listWaiting: held.listWaiting + news.length + leftOut,
    listBroken: held.listBroken || leftOut > 0 || (recentLost > newestShown && held.listWaiting > 0),
  }
}

function insertLive(held: HistorySlice, frames: readonly FrameRow[], leftOut: number): Partial<HistorySlice> {
  for (const row of frames) if (held.list.find(row) !== undefined || matchesFilter(row, held.filter)) held.list.put(row)
  const dropped = held.list.dropOldest(WINDOW_ROWS)
  const oldest = held.list.rows[0]
  return {
    listVersion: held.listVersion + 1,
    listLeftOut: held.listLeftOut + leftOut,
    ...(dropped !== undefined && oldest !== undefined ? {listOlder: oldest.id} : {}),
  }
}

function firstPage(held: HistorySlice, page: FramesPage): Partial<HistorySlice> {
  // What came while the page was on its way is at least as new, also of a frame that is on it.
  held.list.replaceAll(page.frames.filter((row) => held.recent.find(row) === undefined).reverse())
  const from = page.next ?? 0
  for (const row of held.recent.rows) if (row.id >= from && matchesFilter(row, held.filter)) held.list.put(row)
  return {
    listVersion: held.listVersion + 1,
    listStatus: {kind: 'ready'},
    listOlder: page.next,
    listWaiting: 0,
    listLeftOut: 0,
    listBroken: false,
  }
}

function pageAround(held: HistorySlice, page: FramesPage): Partial<HistorySlice> {
  held.list.replaceAll(asHeard(held, page.frames))
  return {
    listVersion: held.listVersion + 1,
    listStatus: {kind: 'ready'},
    listOlder: page.next,
    listFrozen: true,
    listBroken: true,
    listWaiting: 0,
    listLeftOut: 0,
  }
}

function olderPage(held: HistorySlice, page: FramesPage): Partial<HistorySlice> {
  held.list.replaceAll([...asHeard(held, page.frames), ...held.list.rows])
  const over = held.list.rows.length > WINDOW_ROWS
  held.list.dropNewest(WINDOW_ROWS)
  return {
    listVersion: held.listVersion + 1,
    listStatus: {kind: 'ready'},
    listOlder: page.next,
    ...(over ? {listBroken: true, listFrozen: true} : {}),
  }
}

/** A page, oldest first, with rows that came live in the place of the answer's. */
function asHeard(held: HistorySlice, frames: readonly FrameRow[]): readonly FrameRow[] {
  return frames.map((row) => held.recent.find(row) ?? row).reverse()
}

function refreshed(held: HistorySlice, rows: readonly FrameRow[]): Partial<HistorySlice> {
  for (const row of asHeard(held, rows)) if (held.list.find(row) !== undefined) held.list.put(row)
  return {listVersion: held.listVersion + 1, listStatus: {kind: 'ready'}, listBroken: true}
}

function thawed(held: HistorySlice): Partial<HistorySlice> {
  const oldest = held.list.rows[0]?.id ?? -1
  for (const row of held.recent.rows) if (row.id > oldest && matchesFilter(row, held.filter)) held.list.put(row)
  held.list.dropOldest(WINDOW_ROWS)
  return {listVersion: held.listVersion + 1, listFrozen: false, listWaiting: 0}
}
