import {useCallback, useEffect, useRef, useState} from 'react'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {FIRST_VIEW, following, stopped, type TimelineView} from './timeline-view.ts'

export type ChangeView = (change: (view: TimelineView) => TimelineView) => void

/** The stretch of time on screen. Whether it follows is the whole screen's word: scrubbing stops all of it, and back. */
export function useTimelineView(clock: () => number): readonly [TimelineView, ChangeView] {
  const live = useApp((state) => state.live)
  const {store, actions} = useAppContext()
  // Several wheel events may come before the next render; each must build on the one before.
  const held = useRef<TimelineView>(FIRST_VIEW)
  const [view, setView] = useState<TimelineView>(FIRST_VIEW)

  const put = useCallback((next: TimelineView) => {
    held.current = next
    setView(next)
  }, [])

  // Someone else started or stopped following.
  useEffect(() => put(live ? following(held.current) : stopped(held.current, clock())), [live, clock, put])

  const change = useCallback<ChangeView>(
    (next) => {
      const changed = next(held.current)
      if (changed === held.current) return
      put(changed)
      const live = changed.kind === 'live'
      if (store.getState().live !== live) actions.setLive(live)
    },
    [put, store, actions],
  )
  return [view, change]
}
