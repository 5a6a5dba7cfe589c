import type {StateCreator} from 'zustand/vanilla'

export type Tab = 'timeline' | 'gaps' | 'callbacks' | 'history'

export interface ViewSlice {
  readonly tab: Tab
  /** The screen moves on with what arrives. Off: it stands still and counts what waits; the engine goes on. */
  readonly live: boolean
  /** The search as typed; `parse-query.ts` reads it. */
  readonly query: string
  readonly addingSource: boolean
  readonly keysShown: boolean
  readonly setTab: (tab: Tab) => void
  readonly setLive: (live: boolean) => void
  readonly setQuery: (query: string) => void
  readonly setAddingSource: (addingSource: boolean) => void
  readonly setKeysShown: (keysShown: boolean) => void
}

export const createViewSlice: StateCreator<ViewSlice> = (set) => ({
  tab: 'timeline',
  live: true,
  query: '',
  addingSource: false,
  keysShown: false,
  setTab: (tab) => set({tab}),
  setLive: (live) => set({live}),
  setQuery: (query) => set({query}),
  setAddingSource: (addingSource) => set({addingSource}),
  setKeysShown: (keysShown) => set({keysShown}),
})
