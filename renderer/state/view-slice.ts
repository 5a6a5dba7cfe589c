import type {StateCreator} from 'zustand/vanilla'

export type Tab = 'timeline' | 'gaps' | 'callbacks' | 'history'

/** What a reader goes out of: the forms for a source, an event, the column of a source. */
export type Leaving = 'addSource' | 'event' | 'source'

export interface ViewSlice {
  readonly tab: Tab
  /** The screen moves on with what arrives. Off: it stands still and counts what waits; the engine goes on. */
  readonly live: boolean
  /** The search as typed; `parse-query.ts` reads it. */
  readonly query: string
  readonly addingSource: boolean
  /** The source whose settings the form on screen changes; absent: it adds one. */
  readonly changing: string | undefined
  readonly keysShown: boolean
  /** Why the page before this one ended by itself, in Electron's word; absent where it did not. */
  readonly endedBefore: string | undefined
  /** Forms on screen in which something is typed that nobody has yet. */
  readonly unsaved: number
  /** What the user wants out of, while it is asked whether that may be lost. */
  readonly leaving: Leaving | undefined
  readonly noteUnsaved: (more: 1 | -1) => void
  readonly askToLeave: (leaving: Leaving | undefined) => void
  readonly setTab: (tab: Tab) => void
  readonly setLive: (live: boolean) => void
  readonly setQuery: (query: string) => void
  readonly setAddingSource: (addingSource: boolean) => void
  readonly changeSource: (source: string) => void
  readonly setKeysShown: (keysShown: boolean) => void
  readonly setEndedBefore: (reason: string | undefined) => void
}

export const createViewSlice: StateCreator<ViewSlice> = (set) => ({
  tab: 'timeline',
  live: true,
  query: '',
  addingSource: false,
  changing: undefined,
  keysShown: false,
  endedBefore: undefined,
  unsaved: 0,
  leaving: undefined,
  noteUnsaved: (more) => set(({unsaved}) => ({unsaved: unsaved + more})),
  askToLeave: (leaving) => set({leaving}),
  setTab: (tab) => set({tab}),
  setLive: (live) => set({live}),
  setQuery: (query) => set({query}),
  setAddingSource: (addingSource) => set({addingSource, changing: undefined}),
  changeSource: (changing) => set({addingSource: true, changing}),
  setKeysShown: (keysShown) => set({keysShown}),
  setEndedBefore: (endedBefore) => set({endedBefore}),
})
