import type {ConnectionRow, FrameRow, GenerationRow} from '../../../shared/contract/rows.ts'
import {drawnLane, GENERATION, generationOfLane} from '../../../shared/cursor/cursor-position.ts'
import {OWN} from '../../../shared/position/position.ts'
import {unwatched, type Watch, watched} from '../../../shared/timeline/known-time.ts'
import {type Lane, type LaneWish, layOutLanes} from '../../../shared/timeline/lanes.ts'
import type {TypeSize} from '../../../shared/timeline/place-labels.ts'
import {type StepLine, type ValueScale, valueAt, valuesIn, yOfValue} from '../../../shared/timeline/step-line.ts'
import {type Interval, px, type TimeScale} from '../../../shared/timeline/time-scale.ts'
import type {TimelineData} from './timeline-data.ts'

/** Names of rows and their values stand left of the time. CSS px. */
export const GUTTER_PX = 132
const RIGHT_PX = 10
export const RULER_PX = 28

export interface TimelineInput {
  readonly data: TimelineData
  /** Its position is a vector, with `s`; else a cursor {generation, sequence}. */
  readonly hasOwn: boolean
  /** Of a source with generations: those that are known. */
  readonly generations: readonly GenerationRow[]
  readonly window: Interval
  /** CSS px of the canvas. */
  readonly width: number
  readonly height: number
  /** The last instant that is known of; later time is blank. Epoch ms. */
  readonly now: number
  readonly selectedFrame: number | undefined
  readonly moment: number | undefined
  /** Local time minus UTC in ms. */
  readonly offsetMs: number
  readonly type: TypeSize
}

/** Where everything is, before anything is drawn. */
export interface Scene {
  readonly input: TimelineInput
  readonly time: TimeScale
  readonly lanes: readonly Lane[]
  readonly bottom: number
  /** The row each coordinate is drawn on; those that did not fit share one. */
  readonly laneOf: ReadonlyMap<string, Lane>
  readonly values: ReadonlyMap<string, ValueScale>
  /** The window up to `now`. */
  readonly seen: Interval
  readonly dead: readonly Interval[]
  /** What retention left no frames of; whether anybody watched is not told for it either. */
  readonly pruned: Interval | undefined
  readonly known: readonly Interval[]
}

export function timeScaleOf(window: Interval, width: number): TimeScale {
  // A window's edges are instants already; only their brand is added.
  const [from, to] = [window.from as TimeScale['from'], window.to as TimeScale['to']]
  return {from, to, left: px(GUTTER_PX), right: px(Math.max(width - RIGHT_PX, GUTTER_PX + 50))}
}

export function layScene(input: TimelineInput): Scene {
  const {data, window} = input
  const time = timeScaleOf(window, input.width)
  const seen = {from: window.from, to: Math.max(Math.min(window.to, input.now), window.from)}
  const wishes = [...keysInView(data, seen)].map(([key, busy]): LaneWish => ({key, busy, ...beganAt(input, key)}))
  const hasActivities = data.activities.length > 0
  const rules = {hasOwn: input.hasOwn, hasActivities}
  const lanes = layOutLanes(wishes, px(RULER_PX), input.height - RULER_PX, rules)
  const pruned = prunedIn(data, seen)
  const dead = unwatched(watchesOf(data.connections), evidence(data), {from: pruned?.to ?? seen.from, to: seen.to})
  return {
    input,
    time,
    lanes,
    bottom: lanes.reduce((bottom, {top, height}) => Math.max(bottom, top + height), RULER_PX),
    laneOf: new Map(lanes.flatMap((lane) => keysOf(lane).map((key) => [key, lane] as const))),
    values: valueScales(input, lanes, seen),
    seen,
    dead,
    pruned,
    known: watched(seen, dead),
  }
}

function prunedIn({detailsFrom}: TimelineData, {from, to}: Interval): Interval | undefined {
  return detailsFrom === undefined || detailsFrom <= from ? undefined : {from, to: Math.min(detailsFrom, to)}
}

/** A position on a coordinate's row: its line, or where a value would stand on it. */
export function yOn(scene: Scene, key: string, value: number | undefined): number {
  const scale = scene.values.get(key)
  const lane = scene.laneOf.get(key)
  if (scale !== undefined && value !== undefined)
    return yOfValue(scale, Math.min(Math.max(value, scale.least), scale.most))
  return lane === undefined ? scene.bottom : lane.top + lane.height / 2
}

export function heldAt(scene: Scene, key: string, at: number): number | undefined {
  const line = scene.input.data.lines.get(key)
  return line === undefined ? undefined : valueAt(line, at)
}

export function isInView(scene: Scene, at: number): boolean {
  return at >= scene.input.window.from && at <= scene.input.window.to
}

export function laneOfTrack(scene: Scene, kind: 'connection' | 'activities' | 'callbacks'): Lane | undefined {
  return scene.lanes.find(({track}) => track.kind === kind)
}

/** The row a frame is drawn on. Where the engine named none: the agent's own, or that of the generation held then. */
export function keyOfFrame({input}: Pick<Scene, 'input'>, frame: FrameRow): string {
  if (frame.lane !== undefined) return drawnLane(frame.lane)
  if (input.hasOwn) return OWN
  const at = instantOf(frame)
  for (const [key, line] of input.data.lines) if (key !== GENERATION && valueAt(line, at) !== undefined) return key
  return NO_ROW
}

/** Of a frame that came before any cursor was held. */
export const NO_ROW = ''

/** When a frame came to what it came to. A malformed or waiting one has only its arrival. */
export function instantOf(frame: FrameRow): number {
  return frame.outcome === 'malformed' || frame.outcome === 'pending' || frame.outcome === 'control'
    ? frame.receivedAt
    : (frame.settledAt ?? frame.receivedAt)
}

function keysOf(lane: Lane): readonly string[] {
  return lane.track.kind === 'coordinate' ? [lane.track.key] : lane.track.kind === 'more' ? lane.track.keys : []
}

/** Coordinates with a value or a frame in view, and whether anything of them happened there. */
function keysInView({lines, frames, bins}: TimelineData, seen: Interval): ReadonlyMap<string, boolean> {
  const keys = new Map<string, boolean>()
  for (const [key, line] of lines) {
    // Numbered generations are boundaries on the row of their sequences.
    if (key === GENERATION || valuesIn(line, seen) === undefined) continue
    keys.set(key, movesIn(line, seen))
  }
  for (const frame of frames) {
    const at = instantOf(frame)
    if (frame.lane !== undefined && at >= seen.from && at <= seen.to) keys.set(drawnLane(frame.lane), true)
  }
  // Frames of no coordinate are counted under an empty name; they move nothing and have no row.
  for (const {lane, at} of bins) if (lane !== '' && at >= seen.from && at <= seen.to) keys.set(lane, true)
  return keys
}

/** When a generation began, as far as it is known: by its row, else by what is in view of it. */
function beganAt({data, generations}: TimelineInput, key: string): Pick<LaneWish, 'began'> {
  if (generationOfLane(key) === undefined) return {}
  const row = generations.find(({lane}) => lane === key)
  if (row !== undefined) return {began: row.firstAt}
  const line = data.lines.get(key)
  if (line?.start !== undefined) return {began: Number.NEGATIVE_INFINITY}
  const first = line?.steps[0]?.at ?? data.frames.find(({lane}) => lane === key)?.receivedAt
  return first === undefined ? {} : {began: first}
}

function movesIn(line: StepLine, seen: Interval): boolean {
  return line.steps.some(({at}) => at >= seen.from && at <= seen.to)
}

/** Between the smallest and the largest value in view, those not reached yet included: a rejected frame stands above its line. */
function valueScales(input: TimelineInput, lanes: readonly Lane[], seen: Interval): ReadonlyMap<string, ValueScale> {
  const {lines, frames} = input.data
  const reach = new Map<string, number>()
  for (const frame of frames) {
    const unreached = frame.outcome === 'rejected' || frame.outcome === 'pending'
    if (frame.kind === 'gap' || !unreached || frame.sequence === undefined) continue
    if (frame.receivedAt < seen.from || frame.receivedAt > seen.to) continue
    const key = keyOfFrame({input}, frame)
    reach.set(key, Math.max(reach.get(key) ?? 0, frame.sequence))
  }
  const scales = new Map<string, ValueScale>()
  for (const lane of lanes) {
    if (lane.track.kind !== 'coordinate') continue
    const {key} = lane.track
    const line = lines.get(key)
    const values = line === undefined ? undefined : valuesIn(line, seen)
    const reached = reach.get(key)
    if (values === undefined && reached === undefined) continue
    const [least, most] = values ?? [reached ?? 0, reached ?? 0]
    const inset = lane.height / 5
    const top = lane.top + inset
    const bottom = lane.top + lane.height - inset
    scales.set(key, {least: Math.min(least, reached ?? least), most: Math.max(most, reached ?? most), top, bottom})
  }
  return scales
}

/** Of more states than this the store tells only some: what came between two is not known, and nothing is concluded from it. */
const TOLD_WHOLE = 1_000

function watchesOf(connections: readonly ConnectionRow[]): readonly Watch[] {
  return (connections.length > TOLD_WHOLE ? connections.slice(0, 1) : connections).map(watchOf)
}

function watchOf({at, state, because, delayMs}: ConnectionRow): Watch {
  const notStarted = state === 'stopped' && because?.kind === 'notStarted'
  const closedWithApp = state === 'stopped' && because?.kind === 'closedWithApp'
  return {at, state, notStarted, closedWithApp, ...(delayMs === undefined ? {} : {delayMs})}
}

function* evidence({frames, attempts, lines, bins, binMs}: TimelineData): Generator<number> {
  for (const {receivedAt, settledAt} of frames) {
    yield receivedAt
    if (settledAt !== undefined) yield settledAt
  }
  for (const {startedAt, endedAt} of attempts) yield endedAt ?? startedAt
  for (const {steps} of lines.values()) for (const {at} of steps) yield at
  for (const {at} of bins) yield at + (binMs ?? 0)
}
