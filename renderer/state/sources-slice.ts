import type {StateCreator} from 'zustand/vanilla'
import type {SourceView} from '../../shared/contract/rows.ts'

export interface SourcesSlice {
  readonly sources: ReadonlyMap<string, SourceView>
  /** False until the engine has listed them once: an empty board before that would claim that there are none. */
  readonly sourcesKnown: boolean
  readonly listSources: (views: readonly SourceView[]) => void
}

export const createSourcesSlice: StateCreator<SourcesSlice> = (set) => ({
  sources: new Map(),
  sourcesKnown: false,
  listSources: (views) => set({sources: new Map(views.map((view) => [view.id, view])), sourcesKnown: true}),
})

export function receiveSources(
  held: ReadonlyMap<string, SourceView>,
  views: readonly SourceView[],
  removed: readonly string[],
): ReadonlyMap<string, SourceView> {
  if (views.length === 0 && removed.length === 0) return held
  const sources = new Map(held)
  for (const view of views) sources.set(view.id, view)
  for (const id of removed) sources.delete(id)
  return sources
}
