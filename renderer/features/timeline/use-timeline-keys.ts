import {type RefObject, useEffect, useRef} from 'react'
import {assertNever} from '../../../shared/base/assert-never.ts'
import {nextFrame, type Stop} from './step-through.ts'
import type {TimelineData} from './timeline-data.ts'
import {readKey, type TimelineKey} from './timeline-keys.ts'
import {following, instantUnder, panned, type TimelineView, type ViewContext, zoomAt, zoomBy} from './timeline-view.ts'
import type {ChangeView} from './use-timeline-view.ts'

export interface KeyTarget {
  readonly root: RefObject<HTMLElement | null>
  /** Where the pointer is over the picture, in CSS px. */
  readonly pointer: RefObject<number | undefined>
  readonly view: TimelineView
  readonly change: ChangeView
  readonly context: () => ViewContext
  readonly data: TimelineData
  readonly selectedFrame: number | undefined
  readonly onStop: (stop: Stop) => void
  readonly onMoment: (at: number) => void
}

/**
 * Keys of the timeline. Those that others have a use for only with the focus in it, and then before the window takes
 * them: hence on the document, and stopped there.
 */
export function useTimelineKeys(target: KeyTarget): void {
  const latest = useRef(target)
  latest.current = target
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event.target)) return
      const {root} = latest.current
      const focused = event.target instanceof Node && root.current?.contains(event.target) === true
      const key = readKey(event, focused)
      if (key === undefined || (event.target !== document.body && !focused)) return
      // With no pointer over the picture, the moment is the window's to choose.
      if (key.kind === 'moment' && latest.current.pointer.current === undefined) return
      event.preventDefault()
      event.stopPropagation()
      act(latest.current, key)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function act(target: KeyTarget, key: TimelineKey): void {
  const {change, context, data, selectedFrame} = target
  const at = context()
  switch (key.kind) {
    case 'zoom':
      zoom(target, key.factor)
      break
    case 'pan':
      change((view) => panned(view, at, -key.share * at.width))
      break
    case 'frame':
      stopAt(target, nextFrame(data.frames, selectedFrame, key.direction))
      break
    case 'moment':
      if (target.pointer.current !== undefined) target.onMoment(instantUnder(target.view, at, target.pointer.current))
      break
    case 'live':
      change(following)
      break
    default:
      assertNever(key)
  }
}

/** About the pointer where it is over the picture, as a wheel would. */
function zoom({pointer, change, context}: KeyTarget, factor: number): void {
  const x = pointer.current
  change((view) =>
    x === undefined || view.kind === 'live' ? zoomBy(view, factor) : zoomAt(view, context(), x, factor),
  )
}

function stopAt({onStop}: KeyTarget, stop: Stop | undefined): void {
  if (stop !== undefined) onStop(stop)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null
}
