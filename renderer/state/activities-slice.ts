import type {StateCreator} from 'zustand/vanilla'
import type {ActivityRow} from '../../shared/contract/rows.ts'
import {createRowLog, type RowLog} from './row-log.ts'

const KEPT_ACTIVITIES = 5_000

export interface ActivitiesSlice {
  /** What came live, by the frame that told of it first. Changed in place: depend on `activitiesVersion`. */
  readonly activities: RowLog<ActivityRow>
  readonly activitiesVersion: number
}

export const createActivitiesSlice: StateCreator<ActivitiesSlice> = () => ({
  activities: createRowLog((a, b) => a.frame - b.frame),
  activitiesVersion: 0,
})

export function receiveActivities(held: ActivitiesSlice, rows: readonly ActivityRow[]): Partial<ActivitiesSlice> {
  if (rows.length === 0) return {}
  for (const row of rows) held.activities.put(row)
  held.activities.dropOldest(KEPT_ACTIVITIES)
  return {activitiesVersion: held.activitiesVersion + 1}
}

/** Where changes were lost, what is held may be out of date. */
export function forgetActivities(held: ActivitiesSlice): Partial<ActivitiesSlice> {
  held.activities.replaceAll([])
  return {activitiesVersion: held.activitiesVersion + 1}
}
