import type {StateCreator} from 'zustand/vanilla'

export type Tab = 'timeline' | 'gaps' | 'callbacks' | 'history'

export interface ViewSlice {
  readonly tab: Tab
  /** The screen moves on with what arrives. Off: it stands still and counts what waits; the engine goes on. */
  readonly live: boolean
  /** The one source that list and ledgers are narrowed to; absent: all of them. */
  readonly scope: string | undefined
  /** The search as typed; `parse-query.ts` reads it. */
  readonly query: string
  readonly addingSource: boolean
  readonly keysShown: boolean
  readonly setTab: (tab: Tab) => void
  readonly setLive: (live: boolean) => void
  readonly setScope: (scope: string | undefined) => void
  readonly setQuery: (query: string) => void
  readonly setAddingSource: (addingSource: boolean) => void
  readonly setKeysShown: (keysShown: boolean) => void
}

export const createViewSlice: StateCreator<ViewSlice> = (set) => ({
  tab: 'timeline',
  live: true,
  scope: undefined,
  query: '',
  addingSource: false,
  keysShown: false,
  setTab: (tab) => set({tab}),
  setLive: (live) => set({live}),
  setScope: (scope) => set({scope}),
  setQuery: (query) => set({query}),
  setAddingSource: (addingSource) => set({addingSource}),
  setKeysShown: (keysShown) => set({keysShown}),
})
