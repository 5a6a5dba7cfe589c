import {compareText} from '../base/compare-text.ts'
import {OWN} from '../position/position.ts'
import {type Px, px} from './time-scale.ts'

/** What a row of the timeline shows. */
export type Track =
  /** The connection strip. */
  | {readonly kind: 'connection'}
  /** One coordinate of the position: `s`, `r:<room>`. */
  | {readonly kind: 'coordinate'; readonly key: string}
  /** The coordinates that did not fit. */
  | {readonly kind: 'more'; readonly keys: readonly string[]}
  /** What the watched agent did that lasts. */
  | {readonly kind: 'activities'}
  /** Runs of callbacks. */
  | {readonly kind: 'callbacks'}

export interface Lane {
  readonly track: Track
  readonly top: Px
  readonly height: Px
}

/** A coordinate that wants a lane. */
export interface LaneWish {
  readonly key: string
  /** Something of it happened in view. */
  readonly busy: boolean
  /** Generations stand in the order in which they began, epoch ms: their names have none. */
  readonly began?: number
}

export interface LaneRules {
  /** The position is a vector, which always has `s`. */
  readonly hasOwn: boolean
  readonly hasActivities: boolean
}

const OF_A_VECTOR: LaneRules = {hasOwn: true, hasActivities: false}

export const CONNECTION_PX = 26
export const CALLBACKS_PX = 46
export const ACTIVITIES_PX = 60
export const MORE_PX = 22
/** A step of one must still be seen below this many pixels, and above the other nothing is gained. */
export const LOWEST_COORDINATE_PX = 34
export const HIGHEST_COORDINATE_PX = 92

/**
 * The lanes of one source, from the top: connection, `s` where the position is a vector, rooms by name or generations by age,
 * what the agent did, callbacks. Where not all fit, those with movement in view come first, of generations the latest, and one
 * row tells how many are left out.
 *
 * @param height - what all lanes together may take, in CSS px; the least that shows one coordinate is taken anyway
 */
export function layOutLanes(
  wishes: readonly LaneWish[],
  top: Px,
  height: number,
  rules: LaneRules = OF_A_VECTOR,
): readonly Lane[] {
  const activities = rules.hasActivities ? [[{kind: 'activities'}, ACTIVITIES_PX] as const] : []
  const forCoordinates = height - CONNECTION_PX - CALLBACKS_PX - (rules.hasActivities ? ACTIVITIES_PX : 0)
  const {shown, hidden} = choose(wishes, forCoordinates, rules.hasOwn)
  const left = forCoordinates - (hidden.length > 0 ? MORE_PX : 0)
  const each = Math.floor(Math.min(Math.max(left / shown.length, LOWEST_COORDINATE_PX), HIGHEST_COORDINATE_PX))
  const rows: ReadonlyArray<readonly [Track, number]> = [
    [{kind: 'connection'}, CONNECTION_PX],
    ...shown.map((key): readonly [Track, number] => [{kind: 'coordinate', key}, each]),
    ...(hidden.length > 0 ? [[{kind: 'more', keys: hidden}, MORE_PX] as const] : []),
    ...activities,
    [{kind: 'callbacks'}, CALLBACKS_PX],
  ]
  return stack(rows, top)
}

function choose(wishes: readonly LaneWish[], forCoordinates: number, hasOwn: boolean) {
  const own = hasOwn ? [OWN] : []
  const others = wishes.filter(({key}) => !hasOwn || key !== OWN).sort(inOrder)
  const fits = (pixels: number) => Math.max(Math.floor(pixels / LOWEST_COORDINATE_PX), 1) - own.length
  if (others.length <= fits(forCoordinates)) return {shown: [...own, ...others.map(({key}) => key)], hidden: []}
  const byNeed = [...others].sort((a, b) => Number(b.busy) - Number(a.busy) || latestFirst(a, b))
  const kept = new Set(byNeed.slice(0, fits(forCoordinates - MORE_PX)).map(({key}) => key))
  return {
    shown: [...own, ...others.filter(({key}) => kept.has(key)).map(({key}) => key)],
    hidden: others.filter(({key}) => !kept.has(key)).map(({key}) => key),
  }
}

function inOrder(a: LaneWish, b: LaneWish): number {
  return (a.began ?? 0) - (b.began ?? 0) || compareText(a.key, b.key)
}

function latestFirst(a: LaneWish, b: LaneWish): number {
  return (b.began ?? 0) - (a.began ?? 0) || compareText(a.key, b.key)
}

function stack(rows: ReadonlyArray<readonly [Track, number]>, top: Px): readonly Lane[] {
  let next: number = top
  return rows.map(([track, height]) => {
    const lane: Lane = {track, top: px(next), height: px(height)}
    next += height
    return lane
  })
}
