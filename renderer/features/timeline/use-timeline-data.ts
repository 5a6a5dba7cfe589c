import {useMemo} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {
  useActivitiesOf,
  useAttemptsOf,
  useConnectionsOf,
  useFramesOf,
  useGapsOf,
  useHolesOf,
} from '../../state/use-app.ts'
import {type LiveRows, mergeTimeline, type TimelineData} from './timeline-data.ts'
import type {TimelineView} from './timeline-view.ts'
import {useTimelineRange} from './use-timeline-range.ts'

export interface DataState {
  readonly data: TimelineData
  readonly loaded: boolean
  readonly problem: RequestError | undefined
}

/** What the store answered and what came live, as one; built anew only when one of them changed. */
export function useTimelineData(
  source: SourceView,
  view: TimelineView,
  columns: number,
  clock: () => number,
): DataState {
  const frames = useFramesOf(source.id)
  const attempts = useAttemptsOf(source.id)
  const gaps = useGapsOf(source.id)
  const holes = useHolesOf(source.id)
  const activities = useActivitiesOf(source.id)
  const connections = useConnectionsOf(source.id)
  const newest = source.connection
  const live = useMemo<LiveRows>(
    () => ({frames, attempts, gaps, holes, activities, connections: [...connections, newest]}),
    [frames, attempts, gaps, holes, activities, connections, newest],
  )
  const {answered, problem} = useTimelineRange(source.id, view, columns, live, clock)
  const data = useMemo(() => mergeTimeline(answered, live), [answered, live])
  return {data, loaded: answered !== undefined, problem}
}
