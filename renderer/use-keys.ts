import {useEffect} from 'react'
import type {Actions} from './state/actions.ts'
import {leave} from './state/leave.ts'
import {moveSelection, selectNextCallback, selectNextLoss} from './state/move-selection.ts'
import type {AppStore} from './state/store.ts'
import {useAppContext} from './state/use-app.ts'

/** Keys of the whole window. A feature with focus takes its own first, by stopping the event. */
export function useKeys(): void {
  const {store, actions} = useAppContext()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) && event.key !== 'Escape') return
      const run = keyMeaning(event, store, actions)
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [store, actions])
}

function keyMeaning(event: KeyboardEvent, store: AppStore, actions: Actions): (() => void) | undefined {
  switch (event.key) {
    case 'j':
    case 'ArrowDown':
      return () => moveSelection(store, 'older')
    case 'k':
    case 'ArrowUp':
      return () => moveSelection(store, 'newer')
    case 'g':
      return () => selectNextLoss(store)
    case 'c':
      return () => selectNextCallback(store)
    case '.':
      return () => holdMoment(store, actions)
    case ' ':
      // On a button, space presses it.
      return event.target instanceof HTMLButtonElement ? undefined : () => actions.setLive(!store.getState().live)
    case '/':
      return () => document.getElementById('search')?.focus()
    case '?':
      return () => store.getState().setKeysShown(!store.getState().keysShown)
    case 'Escape':
      return () => leaveInnermost(store, event.target)
    default:
      return undefined
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  )
}

/** Stands still at the time of the selection, or at now where nothing is selected. */
function holdMoment(store: AppStore, actions: Actions): void {
  const {moment, now, setMoment} = store.getState()
  setMoment(moment ?? now)
  actions.setLive(false)
}

/** Out of the innermost thing: the overlay, a question, the field, the form, the event, the source’s column, its scope. */
function leaveInnermost(store: AppStore, target: EventTarget | null): void {
  const state = store.getState()
  const {keysShown, addingSource, selectedSource, selectedFrame, leaving} = state
  if (keysShown) state.setKeysShown(false)
  else if (leaving !== undefined) state.askToLeave(undefined)
  else if (isTyping(target) && target instanceof HTMLElement) target.blur()
  else if (addingSource) leave(store, 'addSource')
  else if (selectedFrame !== undefined) leave(store, 'event')
  else if (selectedSource !== undefined) leave(store, 'source')
  else state.showAll()
}
