import type {Actions} from './actions.ts'
import {attemptsOfFrame} from './selectors.ts'
import type {AppState, AppStore} from './store.ts'

/**
 * What follows from a choice: the chosen frame is asked for in detail, again whenever something of it changes, and the
 * list is asked for anew when its filter does. Returns its own undo.
 */
export function watchSelection(store: AppStore, actions: Actions): () => void {
  return store.subscribe((state, before) => {
    const {selectedFrame: frame} = state
    if (frame !== undefined && (frame !== before.selectedFrame || detailIsOld(state, before, frame)))
      void actions.loadDetail(frame)
    if (state.query !== before.query || state.scope !== before.scope) void actions.reloadList()
  })
}

/** The frame's row or one of its attempts differs from what the detail on screen says. */
function detailIsOld(state: AppState, before: AppState, frame: number): boolean {
  const {detail} = state
  if (detail.kind !== 'ready' || detail.frame !== frame) return false
  if (state.recentVersion !== before.recentVersion) {
    const row = state.recent.find(detail.shown.frame)
    if (row !== undefined && (row.outcome !== detail.shown.frame.outcome || row.attempt !== detail.shown.frame.attempt))
      return true
  }
  if (state.attemptsVersion === before.attemptsVersion) return false
  return attemptsOfFrame(state, frame).some(
    (row) => !detail.shown.attempts.some((known) => known.n === row.n && known.state === row.state),
  )
}
