import type {ChangeBatch} from '../../shared/contract/contract.ts'
import {receiveActivities} from './activities-slice.ts'
import {receiveAttempts} from './attempts-slice.ts'
import {receiveConnections} from './connections-slice.ts'
import {forgetLive} from './forget-live.ts'
import {receiveAccounts, receiveGaps} from './gaps-slice.ts'
import {receiveFrames} from './history-slice.ts'
import {receiveHoles} from './holes-slice.ts'
import {receiveNotifications} from './notifications-slice.ts'
import {receiveNumberings} from './numberings-slice.ts'
import {receiveSources} from './sources-slice.ts'
import type {AppState, AppStore} from './store.ts'

/** What a batch means for the slices, all of it in one set. Every field of a batch is named here; a new one stops the compile. */
export function applyBatch(state: AppState, batch: ChangeBatch, localNow: number): Partial<AppState> {
  const {
    number,
    now,
    sources,
    removedSources,
    frames,
    attempts,
    gaps,
    gapAccounts,
    holes,
    activities,
    daemons,
    connections,
    notifications,
    framesLeftOut,
    rate,
    lagMs,
    ...rest
  } = batch
  rest satisfies Record<string, never>
  return {
    sources: receiveSources(state.sources, sources, removedSources),
    ...receiveFrames(state, frames, framesLeftOut),
    ...receiveAttempts(state, attempts),
    gaps: receiveAccounts(receiveGaps(state.gaps, gaps), gapAccounts),
    holes: receiveHoles(state.holes, holes),
    numberings: receiveNumberings(state.numberings, frames),
    ...receiveActivities(state, activities),
    ...(daemons === undefined ? {} : {daemons}),
    connections: receiveConnections(state.connections, connections),
    notifications: receiveNotifications(state.notifications, notifications),
    ...forgetRemoved(state, removedSources),
    batchNumber: number,
    rate,
    lagMs,
    batchAt: now,
    lastHeard: now,
    clockOffset: now - localNow,
  }
}

function forgetRemoved(state: AppState, removed: readonly string[]): Partial<AppState> {
  const gone = (source: string | undefined): boolean => source !== undefined && removed.includes(source)
  return {
    ...(gone(state.scope) ? {scope: undefined} : {}),
    ...(gone(state.selectedSource)
      ? {selectedSource: undefined, selectedFrame: undefined, detail: {kind: 'none'} as const}
      : {}),
  }
}

export interface BatchInbox {
  readonly receive: (batch: ChangeBatch) => void
}

/**
 * Gathers the batches that arrive between two animation frames and applies them with one set a batch kind of screen frame.
 *
 * @param schedule - runs its argument at the next animation frame
 * @param onJump - some batches were lost on the way: the screen must ask again
 */
export function createBatchInbox(
  store: AppStore,
  schedule: (flush: () => void) => void,
  localNow: () => number,
  onJump: () => void,
): BatchInbox {
  let inbox: ChangeBatch[] = []
  const flush = () => {
    const batches = inbox
    inbox = []
    let jumped = false
    let [state, patch] = [store.getState(), {} as Partial<AppState>]
    for (const batch of batches) {
      const jumps = state.batchNumber !== undefined && batch.number !== state.batchNumber + 1
      jumped ||= jumps
      const before = jumps ? forgetLive(state) : {}
      const step = {...before, ...applyBatch({...state, ...before}, batch, localNow())}
      patch = {...patch, ...step}
      state = {...state, ...step}
    }
    store.setState(patch)
    if (jumped) onJump()
  }
  return {
    receive: (batch) => {
      inbox.push(batch)
      if (inbox.length === 1) schedule(flush)
    },
  }
}
