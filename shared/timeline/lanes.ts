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
}

export const CONNECTION_PX = 26
export const CALLBACKS_PX = 46
export const MORE_PX = 22
/** A step of one must still be seen below this many pixels, and above the other nothing is gained. */
export const LOWEST_COORDINATE_PX = 34
export const HIGHEST_COORDINATE_PX = 92

/**
 * The lanes of one source, from the top: connection, `s`, rooms by name, callbacks. Where not all rooms fit, those with
 * movement in view come first, and one row tells how many are left out. `s` always has a lane.
 *
 * @param height - what all lanes together may take, in CSS px; the least that shows `s` is taken anyway
 */
export function layOutLanes(wishes: readonly LaneWish[], top: Px, height: number): readonly Lane[] {
  const forCoordinates = height - CONNECTION_PX - CALLBACKS_PX
  const {shown, hidden} = choose(wishes, forCoordinates)
  const left = forCoordinates - (hidden.length > 0 ? MORE_PX : 0)
  const each = Math.floor(Math.min(Math.max(left / shown.length, LOWEST_COORDINATE_PX), HIGHEST_COORDINATE_PX))
  const rows: ReadonlyArray<readonly [Track, number]> = [
    [{kind: 'connection'}, CONNECTION_PX],
    ...shown.map((key): readonly [Track, number] => [{kind: 'coordinate', key}, each]),
    ...(hidden.length > 0 ? [[{kind: 'more', keys: hidden}, MORE_PX] as const] : []),
    [{kind: 'callbacks'}, CALLBACKS_PX],
  ]
  return stack(rows, top)
}

function choose(wishes: readonly LaneWish[], forCoordinates: number) {
  const rooms = wishes.filter(({key}) => key !== OWN).sort((a, b) => compareText(a.key, b.key))
  const fits = (pixels: number) => Math.max(Math.floor(pixels / LOWEST_COORDINATE_PX) - 1, 0)
  if (rooms.length <= fits(forCoordinates)) return {shown: [OWN, ...rooms.map(({key}) => key)], hidden: []}
  const busyFirst = [...rooms].sort((a, b) => Number(b.busy) - Number(a.busy) || compareText(a.key, b.key))
  const kept = new Set(busyFirst.slice(0, fits(forCoordinates - MORE_PX)).map(({key}) => key))
  return {
    shown: [OWN, ...rooms.filter(({key}) => kept.has(key)).map(({key}) => key)],
    hidden: rooms.filter(({key}) => !kept.has(key)).map(({key}) => key),
  }
}

function stack(rows: ReadonlyArray<readonly [Track, number]>, top: Px): readonly Lane[] {
  let next: number = top
  return rows.map(([track, height]) => {
    const lane: Lane = {track, top: px(next), height: px(height)}
    next += height
    return lane
  })
}
