import {type RefObject, useEffect, useRef} from 'react'
import type {Mark} from './mark.ts'
import {paintTimeline} from './paint-timeline.ts'
import type {Palette} from './palette.ts'
import {planTimeline} from './plan-timeline.ts'
import type {TimelineInput} from './scene.ts'
import {pauseBetween, type TimelineView, windowOf} from './timeline-view.ts'
import {useReducedMotion} from './use-reduced-motion.ts'

export interface Drawing {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly clock: () => number
  readonly view: TimelineView
  readonly width: number
  readonly height: number
  readonly palette: Palette | undefined
  /** What is drawn, but for the time. */
  readonly input: Omit<TimelineInput, 'window' | 'now' | 'width' | 'height'>
}

const NEVER = Number.NEGATIVE_INFINITY

/**
 * Draws when something changed, at most once an animation frame, and while now is in view as often as it has moved on by a
 * pixel; for a reader who asked for less motion, step by step. What was drawn last is left in `drawn`, for the pointer.
 */
export function useDrawing(drawing: Drawing, drawn: RefObject<readonly Mark[]>): void {
  const {canvas, clock, view, width, height, palette, input} = drawing
  const stepping = useReducedMotion()
  const shown = useRef<{drawnAt: number; asks: readonly unknown[]}>({drawnAt: NEVER, asks: []})
  useEffect(() => {
    if (palette === undefined || width < 1 || height < 1) return
    const asks = [view, width, height, palette, input.selectedFrame, input.moment]
    // What the reader does is answered at once; what only time and new frames move waits for its step.
    if (!stepping || asks.some((asked, index) => asked !== shown.current.asks[index])) shown.current.drawnAt = NEVER
    shown.current.asks = asks
    const onFrame = () => {
      const now = clock()
      if (now - shown.current.drawnAt >= pauseBetween(view, {now, width}, stepping)) {
        shown.current.drawnAt = now
        drawn.current = draw({canvas, clock, view, width, height, palette, input}, now)
      }
      const window = windowOf(view, now)
      const waits = stepping && shown.current.drawnAt !== now
      if (waits || view.kind === 'live' || (now >= window.from && now <= window.to))
        handle = requestAnimationFrame(onFrame)
    }
    let handle = requestAnimationFrame(onFrame)
    return () => cancelAnimationFrame(handle)
  }, [canvas, clock, view, width, height, palette, input, drawn, stepping])
}

function draw(
  {canvas, view, width, height, palette, input}: Drawing & {readonly palette: Palette},
  now: number,
): readonly Mark[] {
  const marks = planTimeline({...input, window: windowOf(view, now), now, width, height})
  const element = canvas.current
  const context = element?.getContext('2d', {alpha: false})
  if (element === null || context === null || context === undefined) return marks
  fitToDevice(element, context, width, height)
  paintTimeline({context, width, height, palette}, marks)
  return marks
}

/** The canvas has the device's own pixels; everything is drawn in CSS px. */
function fitToDevice(
  element: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  const ratio = window.devicePixelRatio
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (element.width !== wide) element.width = wide
  if (element.height !== high) element.height = high
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
}
