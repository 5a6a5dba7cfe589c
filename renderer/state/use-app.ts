import {createContext, useContext, useMemo} from 'react'
import {useStore} from 'zustand'
import type {ActivityRow, AttemptRow, ConnectionRow, FrameRow, GapRow, HoleRow} from '../../shared/contract/rows.ts'
import type {Actions} from './actions.ts'
import {losingSources} from './attention.ts'
import {
  activitiesOf,
  attemptsOf,
  type BoardRow,
  boardRows,
  connectionsOf,
  framesOf,
  gapsOf,
  holesOf,
} from './selectors.ts'
import type {AppState, AppStore} from './store.ts'

export interface App {
  readonly store: AppStore
  readonly actions: Actions
}

export const AppContext = createContext<App | undefined>(undefined)

export function useAppContext(): App {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('outside of AppContext')
  return app
}

/** Always with a selector, so that a component wakes only for what it shows. */
export function useApp<Value>(selector: (state: AppState) => Value): Value {
  return useStore(useAppContext().store, selector)
}

/** Requests to the engine, typed; also `useActions().request`. */
export function useActions(): Actions {
  return useAppContext().actions
}

const MINUTE_MS = 60_000

/** The board, as of this minute: a loss is news for a quarter of an hour. */
export function useBoardRows(): readonly BoardRow[] {
  const sources = useApp((state) => state.sources)
  const gaps = useApp((state) => state.gaps)
  const minute = useApp((state) => Math.floor(state.now / MINUTE_MS) * MINUTE_MS)
  const losing = useMemo(() => losingSources(gaps.values(), minute), [gaps, minute])
  return useMemo(() => boardRows(sources, losing), [sources, losing])
}

/** Recent frames of a source, oldest first; a new array only when they changed. */
export function useFramesOf(source: string): readonly FrameRow[] {
  const {store} = useAppContext()
  const version = useApp((state) => state.recentVersion)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log is changed in place, and its version says so
  return useMemo(() => framesOf(store.getState(), source), [store, source, version])
}

export function useAttemptsOf(source: string): readonly AttemptRow[] {
  const {store} = useAppContext()
  const version = useApp((state) => state.attemptsVersion)
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  return useMemo(() => attemptsOf(store.getState(), source), [store, source, version])
}

export function useGapsOf(source: string): readonly GapRow[] {
  const {store} = useAppContext()
  const gaps = useApp((state) => state.gaps)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `gaps` is what the selector reads from the state
  return useMemo(() => gapsOf(store.getState(), source), [store, source, gaps])
}

export function useHolesOf(source: string): readonly HoleRow[] {
  const {store} = useAppContext()
  const holes = useApp((state) => state.holes)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `holes` is what the selector reads from the state
  return useMemo(() => holesOf(store.getState(), source), [store, source, holes])
}

export function useActivitiesOf(source: string): readonly ActivityRow[] {
  const {store} = useAppContext()
  const version = useApp((state) => state.activitiesVersion)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the log is changed in place, and its version says so
  return useMemo(() => activitiesOf(store.getState(), source), [store, source, version])
}

export function useConnectionsOf(source: string): readonly ConnectionRow[] {
  return useApp((state) => connectionsOf(state, source))
}
