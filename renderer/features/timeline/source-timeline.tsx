import {type ReactElement, useCallback, useEffect, useMemo, useRef, useState} from 'react'
import type {FrameRow, SourceView} from '../../../shared/contract/rows.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {holdsCursor} from '../../state/selectors.ts'
import {useApp} from '../../state/use-app.ts'
import {useGenerationsOf} from '../../state/use-generations.ts'
import {counted, shortPosition} from '../../ui/format.ts'
import type {Mark} from './mark.ts'
import {planTimeline} from './plan-timeline.ts'
import {GUTTER_PX, type TimelineInput} from './scene.ts'
import {TimelineCanvas} from './timeline-canvas.tsx'
import {TimelineTable} from './timeline-table.tsx'
import {TimelineToolbar} from './timeline-toolbar.tsx'
import {showing, type TimelineView, windowOf} from './timeline-view.ts'
import {useEngineClock} from './use-engine-clock.ts'
import {usePalette} from './use-palette.ts'
import {useSize} from './use-size.ts'
import {type DataState, useTimelineData} from './use-timeline-data.ts'
import {useTimelineKeys} from './use-timeline-keys.ts'
import {type ChangeView, useTimelineView} from './use-timeline-view.ts'

/** Advance and line height of the mono face at 12 px. */
const TYPE = {charPx: 7.25, linePx: 15}

export interface SourceTimelineProps {
  readonly source: SourceView
  /** Why this source of several, where the list shows others too. */
  readonly which: string | undefined
}

export function SourceTimeline({source, which}: SourceTimelineProps): ReactElement {
  const root = useRef<HTMLElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const drawn = useRef<readonly Mark[]>([])
  const pointer = useRef<number | undefined>(undefined)
  const [tableShown, setTableShown] = useState(false)
  const clock = useEngineClock()
  const [view, change] = useTimelineView(clock)
  const size = useSize(stage)
  const palette = usePalette(root)
  const state = useTimelineData(source, view, size.width - GUTTER_PX, clock)
  const input = useInput(source, state)
  const frames = useMemo(() => new Map(state.data.frames.map((frame) => [frame.id, frame])), [state.data])
  const {select, setMoment} = useSelecting(source.id, frames)
  const context = useCallback(() => ({now: clock(), width: size.width}), [clock, size.width])
  useShowSelection(change, context)
  useTimelineKeys({
    ...{root, pointer, view, change, context, data: state.data, selectedFrame: input.selectedFrame},
    onStop: ({frame, at}) => select(frame, at),
    onMoment: setMoment,
  })

  const label = labelOf(source, state)
  const drawing = {clock, view, ...size, palette, input}
  return (
    <section className="timeline" ref={root} aria-label={`Timeline of ${source.name}`}>
      <TimelineToolbar
        {...{title: source.name, which, status: statusOf(state), view, change, tableShown}}
        onTable={() => setTableShown(!tableShown)}
      />
      <div className="timeline-stage" ref={stage}>
        {tableShown ? (
          <LiveTable {...{caption: label, input, view, clock, ...size, frames, onSelect: select}} />
        ) : (
          <TimelineCanvas
            {...{label, drawing, view, change, frames, drawn, pointer, onSelect: select, onMoment: setMoment}}
          />
        )}
      </div>
    </section>
  )
}

type PlanInput = Omit<TimelineInput, 'window' | 'now' | 'width' | 'height'>

function useInput(source: SourceView, {data}: DataState): PlanInput {
  const selectedFrame = useApp((state) => state.selectedFrame)
  const moment = useApp((state) => state.moment)
  const {generations} = useGenerationsOf(source)
  const hasOwn = !holdsCursor(source)
  return useMemo(
    () => ({
      ...{data, hasOwn, generations, selectedFrame, moment, type: TYPE},
      offsetMs: -new Date(data.frames.at(-1)?.receivedAt ?? Date.now()).getTimezoneOffset() * 60_000,
    }),
    [data, hasOwn, generations, selectedFrame, moment],
  )
}

/** The moment of a frame is when it was received, here as in the lists, also where it is drawn when it was settled. */
function useSelecting(source: string, frames: ReadonlyMap<number, FrameRow>) {
  const selectFrame = useApp((state) => state.selectFrame)
  const setMoment = useApp((state) => state.setMoment)
  const select = useCallback(
    (frame: number, at: number) => selectFrame(source, frame, frames.get(frame)?.receivedAt ?? at),
    [selectFrame, source, frames],
  )
  return {select, setMoment}
}

/** What is selected anywhere comes into view, unless it is there. Not at once when the timeline opens: it may be following. */
function useShowSelection(change: ChangeView, context: () => {readonly now: number; readonly width: number}): void {
  const selectedFrame = useApp((state) => state.selectedFrame)
  const moment = useApp((state) => state.moment)
  const shown = useRef({selectedFrame, moment})
  useEffect(() => {
    const before = shown.current
    shown.current = {selectedFrame, moment}
    if (moment === undefined || (before.selectedFrame === selectedFrame && before.moment === moment)) return
    change((view) => showing(view, context(), moment))
  }, [selectedFrame, moment, change, context])
}

interface LiveTableProps {
  readonly caption: string
  readonly input: PlanInput
  readonly view: TimelineView
  readonly clock: () => number
  readonly width: number
  readonly height: number
  readonly frames: ReadonlyMap<number, FrameRow>
  readonly onSelect: (frame: number, at: number) => void
}

/** Planned anew when something changed, and once a tick of the screen's clock: a table need not move by the pixel. */
function LiveTable({caption, input, view, clock, width, height, frames, onSelect}: LiveTableProps): ReactElement {
  const tick = useApp((state) => state.now)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tick says that time went on
  const marks = useMemo(() => {
    const now = clock()
    return planTimeline({...input, window: windowOf(view, now), now, width, height})
  }, [input, view, clock, width, height, tick])
  return <TimelineTable {...{caption, marks, frames, selectedFrame: input.selectedFrame, onSelect}} />
}

function statusOf({problem, loaded}: DataState): string | undefined {
  if (problem !== undefined) return `${explainRequestError(problem).title}. Asked again in a few seconds.`
  return loaded ? undefined : 'asking for the history…'
}

function labelOf({name, position, coordinates}: SourceView, {data}: DataState): string {
  const gaps = counted(data.gaps.length, 'gap')
  const holes = data.holes.length === 0 ? '' : `, ${counted(data.holes.length, 'hole')}`
  return `Timeline of ${name}: ${shortPosition(position, coordinates)}, ${gaps}${holes}. The table button lists every mark.`
}
