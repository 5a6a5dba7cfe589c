import type {StateCreator} from 'zustand/vanilla'
import type {ChangeBatch} from '../../shared/contract/contract.ts'

export type NotificationRow = ChangeBatch['notifications'][number]

/** More than these nobody reads; the oldest go. */
const KEPT = 20

export interface NotificationsSlice {
  /** What handlers wanted shown and the user has not put away, oldest first. */
  readonly notifications: readonly NotificationRow[]
  readonly dismissNotification: (id: string) => void
}

export const createNotificationsSlice: StateCreator<NotificationsSlice> = (set) => ({
  notifications: [],
  dismissNotification: (id) =>
    set(({notifications}) => ({notifications: notifications.filter((one) => one.id !== id)})),
})

export function receiveNotifications(
  held: readonly NotificationRow[],
  more: readonly NotificationRow[],
): readonly NotificationRow[] {
  return more.length === 0 ? held : [...held, ...more].slice(-KEPT)
}
