import type {StateCreator} from 'zustand/vanilla'
import type {SourceView} from '../../shared/contract/rows.ts'

export interface SourcesSlice {
  readonly sources: ReadonlyMap<string, SourceView>
  /** False until the engine has listed them once: an empty board before that would claim that there are none. */
  readonly sourcesKnown: boolean
  /**
   * @param before - the sources as they were when the engine was asked. What changed since came by a batch and is at least
   * as new as the answer. Absent: nothing did.
   */
  readonly listSources: (views: readonly SourceView[], before?: ReadonlyMap<string, SourceView>) => void
}

export const createSourcesSlice: StateCreator<SourcesSlice> = (set, get) => ({
  sources: new Map(),
  sourcesKnown: false,
  listSources: (views, before) => set({sources: listed(views, get().sources, before), sourcesKnown: true}),
})

function listed(
  views: readonly SourceView[],
  held: ReadonlyMap<string, SourceView>,
  before = held,
): ReadonlyMap<string, SourceView> {
  const sources = new Map(views.map((view) => [view.id, view]))
  for (const [id, view] of held) if (before.get(id) !== view) sources.set(id, view)
  for (const id of before.keys()) if (!held.has(id)) sources.delete(id)
  return sources
}

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
