import {useEffect} from 'react'
import type {AppStore} from './store.ts'
import {useAppContext} from './use-app.ts'
import type {Leaving} from './view-slice.ts'

/** Goes out of it, unless something is typed there that nobody has: then the user is asked first. */
export function leave(store: AppStore, leaving: Leaving): void {
  if (store.getState().unsaved > 0) store.getState().askToLeave(leaving)
  else goOut(store, leaving)
}

/** The answer: what was typed may be lost. */
export function discard(store: AppStore): void {
  const {leaving, askToLeave} = store.getState()
  askToLeave(undefined)
  if (leaving !== undefined) goOut(store, leaving)
}

function goOut(store: AppStore, leaving: Leaving): void {
  const {setAddingSource, clearSelection, closeSource} = store.getState()
  if (leaving === 'addSource') setAddingSource(false)
  else if (leaving === 'event') clearSelection()
  else closeSource()
}

/** Of drafts, which are plain values: what is typed is no longer what it was. */
export function differ<Draft>(draft: Draft, start: Draft): boolean {
  return JSON.stringify(draft) !== JSON.stringify(start)
}

/** Says of a form whether something is typed in it that leaving would lose. */
export function useUnsaved(isUnsaved: boolean): void {
  const {store} = useAppContext()
  useEffect(() => {
    if (!isUnsaved) return
    store.getState().noteUnsaved(1)
    return () => store.getState().noteUnsaved(-1)
  }, [store, isUnsaved])
}
