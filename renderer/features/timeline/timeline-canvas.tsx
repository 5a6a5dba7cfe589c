import {type PointerEvent, type ReactElement, type RefObject, useEffect, useRef, useState} from 'react'
import type {FrameRow} from '../../../shared/contract/rows.ts'
import {clockTime} from '../../ui/format.ts'
import {describeMark} from './describe-mark.ts'
import {hitTest, standsForFrames} from './hit-test.ts'
import type {Mark} from './mark.ts'
import type {MarkWords} from './mark-words.ts'
import {GUTTER_PX} from './scene.ts'
import type {TimelineView} from './timeline-view.ts'
import {instantUnder, panned, zoomAt} from './timeline-view.ts'
import {type Drawing, useDrawing} from './use-drawing.ts'
import type {ChangeView} from './use-timeline-view.ts'

export interface TimelineCanvasProps {
  readonly label: string
  readonly drawing: Omit<Drawing, 'canvas'>
  readonly view: TimelineView
  readonly change: ChangeView
  readonly frames: ReadonlyMap<number, FrameRow>
  /** The marks as they were drawn last. */
  readonly drawn: RefObject<readonly Mark[]>
  /** Where the pointer is, for keys that mean what is under it. */
  readonly pointer: RefObject<number | undefined>
  readonly onSelect: (frame: number, at: number) => void
  readonly onMoment: (at: number) => void
}

interface Hover {
  readonly x: number
  readonly y: number
  readonly words: MarkWords
}

/** A pointer that moved less than this between down and up has clicked. CSS px. */
const CLICK_PX = 4

export function TimelineCanvas(props: TimelineCanvasProps): ReactElement {
  const {label, drawing, drawn} = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const [hover, setHover] = useState<Hover | undefined>(undefined)
  useDrawing({...drawing, canvas}, drawn)
  useWheelZoom(canvas, props)
  const handlers = usePointer(props, setHover)
  return (
    <>
      <canvas ref={canvas} className="timeline-canvas" role="img" aria-label={label} tabIndex={0} {...handlers} />
      {hover && <Tooltip {...hover} width={drawing.width} />}
    </>
  )
}

function Tooltip({x, y, words, width}: Hover & {readonly width: number}): ReactElement {
  const side = x > width * 0.6 ? {right: width - x + 14} : {left: x + 14}
  return (
    <div className="timeline-tooltip" style={{...side, top: y + 12}} role="presentation">
      <div className="mono muted">{clockTime(words.at)}</div>
      <div>{words.what}</div>
      {words.detail !== '' && <div className="muted">{words.detail}</div>}
    </div>
  )
}

function usePointer(props: TimelineCanvasProps, setHover: (hover: Hover | undefined) => void) {
  const {view, change, drawing, drawn, frames, pointer, onSelect, onMoment} = props
  const drag = useRef<{readonly startX: number; readonly view: TimelineView; moved: boolean} | undefined>(undefined)
  const at = ({nativeEvent: {offsetX, offsetY}}: PointerEvent) => ({x: offsetX, y: offsetY})

  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = {startX: at(event).x, view, moved: false}
  }
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const {x, y} = at(event)
    const dragged = drag.current
    pointer.current = x >= GUTTER_PX ? x : undefined
    if (dragged === undefined) {
      const mark = hitTest(drawn.current, x, y)
      const words = mark && describeMark(mark, frames)
      setHover(words && {x, y, words})
      return
    }
    if (!dragged.moved && Math.abs(x - dragged.startX) < CLICK_PX) return
    dragged.moved = true
    setHover(undefined)
    const context = {now: drawing.clock(), width: drawing.width}
    change(() => panned(dragged.view, context, x - dragged.startX))
  }
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>) => {
    const dragged = drag.current
    drag.current = undefined
    if (dragged === undefined || dragged.moved) return
    const {x, y} = at(event)
    const mark = hitTest(drawn.current, x, y)
    const frame = mark !== undefined && standsForFrames(mark) ? mark.frames[0] : undefined
    const instant = instantUnder(view, {now: drawing.clock(), width: drawing.width}, x)
    if (mark !== undefined && standsForFrames(mark) && frame !== undefined) onSelect(frame, mark.at)
    else if (x >= GUTTER_PX) onMoment(instant)
  }
  const onPointerLeave = () => {
    pointer.current = undefined
    setHover(undefined)
  }
  return {onPointerDown, onPointerMove, onPointerUp, onPointerLeave}
}

/** A wheel's tick of about 100 zooms by a fifth; sideways pans. */
const ZOOM_PER_PX = 0.002

/** By hand, because the page must not scroll: React listens to wheels passively. */
function useWheelZoom(canvas: RefObject<HTMLCanvasElement | null>, {drawing, change}: TimelineCanvasProps): void {
  const {clock, width} = drawing
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const context = {now: clock(), width}
      const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
      if (Math.abs(sideways) > Math.abs(event.deltaY) || event.shiftKey)
        change((view) => panned(view, context, -sideways))
      else
        change((view) =>
          zoomAt(view, context, Math.max(event.offsetX, GUTTER_PX), Math.exp(-event.deltaY * ZOOM_PER_PX)),
        )
    }
    element.addEventListener('wheel', onWheel, {passive: false})
    return () => element.removeEventListener('wheel', onWheel)
  }, [canvas, change, clock, width])
}
