import {createStore, type StoreApi} from 'zustand/vanilla'
import {type ActivitiesSlice, createActivitiesSlice} from './activities-slice.ts'
import {type AttemptsSlice, createAttemptsSlice} from './attempts-slice.ts'
import {type ConnectionsSlice, createConnectionsSlice} from './connections-slice.ts'
import {createDaemonsSlice, type DaemonsSlice} from './daemons-slice.ts'
import {createEngineSlice, type EngineSlice} from './engine-slice.ts'
import {createGapsSlice, type GapsSlice} from './gaps-slice.ts'
import {createHistorySlice, type HistorySlice} from './history-slice.ts'
import {createHolesSlice, type HolesSlice} from './holes-slice.ts'
import {createNotificationsSlice, type NotificationsSlice} from './notifications-slice.ts'
import {createNumberingsSlice, type NumberingsSlice} from './numberings-slice.ts'
import {createSelectionSlice, type SelectionSlice} from './selection-slice.ts'
import {createSourcesSlice, type SourcesSlice} from './sources-slice.ts'
import {createViewSlice, type ViewSlice} from './view-slice.ts'

/** Facts as the engine told them, and what the user chose. Everything else is derived: see `selectors.ts`. */
export type AppState = SourcesSlice &
  HistorySlice &
  AttemptsSlice &
  GapsSlice &
  HolesSlice &
  NumberingsSlice &
  ActivitiesSlice &
  DaemonsSlice &
  ConnectionsSlice &
  NotificationsSlice &
  SelectionSlice &
  ViewSlice &
  EngineSlice

export type AppStore = StoreApi<AppState>

export function createAppStore(): AppStore {
  return createStore<AppState>()((...args) => ({
    ...createSourcesSlice(...args),
    ...createHistorySlice(...args),
    ...createAttemptsSlice(...args),
    ...createGapsSlice(...args),
    ...createHolesSlice(...args),
    ...createNumberingsSlice(...args),
    ...createActivitiesSlice(...args),
    ...createDaemonsSlice(...args),
    ...createConnectionsSlice(...args),
    ...createNotificationsSlice(...args),
    ...createSelectionSlice(...args),
    ...createViewSlice(...args),
    ...createEngineSlice(...args),
  }))
}
