import {forgetActivities} from './activities-slice.ts'
import {forgetAttempts} from './attempts-slice.ts'
import {forgetRecent} from './history-slice.ts'
import type {AppState} from './store.ts'

/**
 * After lost batches and after every reconnect: rows that came live may be older than what the engine would answer now, so
 * they no longer win over its answers. To be followed by a reload.
 */
export function forgetLive(state: AppState): Partial<AppState> {
  return {...forgetRecent(state), ...forgetAttempts(state), ...forgetActivities(state)}
}
