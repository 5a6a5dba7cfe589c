import type {Cursor} from '../../shared/cursor/cursor.ts'
import {cursorOfPosition} from '../../shared/cursor/cursor-position.ts'
import {type CoordinateKey, OWN, type Sequence} from '../../shared/position/position.ts'
import {nameLane, shortCursor, shortLane} from '../../shared/words/name-cursor.ts'

const THIN_SPACE = '\u2009'
const DASH = '–'

/** A whole number with thin spaces between groups of three: for reading. Positions are shown exact, as sent. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, THIN_SPACE)
}

/** A span of time with its unit, as exact as is of use at that length. Negative ones, from clocks that differ, as 0. */
export function duration(ms: number): string {
  const span = Math.max(0, ms)
  if (span < 999.5) return `${Math.round(span)} ms`
  if (span < 9_950) return `${(span / 1000).toFixed(1)} s`
  if (span < 119_500) return `${Math.round(span / 1000)} s`
  if (span < 119.5 * 60_000) return `${Math.round(span / 60_000)} min`
  if (span < 47.5 * 3_600_000) return `${Math.round(span / 3_600_000)} h`
  return `${Math.round(span / 86_400_000)} d`
}

/** A span that is shown while it grows: below a second its digits would only flicker. */
export function age(ms: number): string {
  return ms < 1000 ? '<1 s' : duration(Math.floor(ms / 1000) * 1000)
}

/** What is left until an instant, in whole seconds, rounded up: a countdown never says 0 before it is due. */
export function countdown(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1000))} s`
}

/** The time of day, in the screen's time zone, to the millisecond. */
export function clockTime(at: number): string {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`
}

/** With the day in front, for what may lie on another day. */
export function dateTime(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${clockTime(at)}`
}

/** The time alone where the instant lies on the same day as `now`, else with its day. */
export function nearTime(at: number, now: number): string {
  return new Date(at).toDateString() === new Date(now).toDateString() ? clockTime(at) : dateTime(at)
}

/** The instants of clock times on the day of an instant, in the screen's time zone. A time that the clocks skip is the one after. */
export function clockOf(at: number): (hours: number, minutes: number, seconds: number) => number {
  return (hours, minutes, seconds) => new Date(at).setHours(hours, minutes, seconds, 0)
}

/** A size in decimal units, as disks are sold. Below 10 kB exact. */
export function byteSize(bytes: number): string {
  if (bytes < 10_000) return `${count(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`
  const units = ['kB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes / 1000, 0]
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** `1 gap`, `2 gaps`. */
export function counted(value: number, one: string, many: string = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** The short form of a position for the board: `s 7 · 3 rooms`, `gen 0762… · 58`. */
export function shortPosition(position: readonly (readonly [string, number])[], coordinates: number): string {
  if (coordinates === 0) return 'no position yet'
  const cursor = cursorOfPairs(position)
  if (cursor !== undefined) return shortCursor(cursor)
  const own = position.find(([key]) => key === OWN)
  const others = coordinates - (own === undefined ? 0 : 1)
  const parts = [own === undefined ? undefined : `s ${own[1]}`, others === 0 ? undefined : counted(others, 'room')]
  return parts.filter((part) => part !== undefined).join(' · ')
}

/** The cursor {generation, sequence} that a position is; `undefined`: it is none. */
export function cursorOfPairs(position: readonly (readonly [string, number])[]): Cursor | undefined {
  // The contract has parsed the pairs; the brands say so.
  return cursorOfPosition(new Map(position.map(([key, value]) => [key as CoordinateKey, value as Sequence])))
}

/** A coordinate's name and value as the list shows it; a frame that names no coordinate has a dash. */
export function laneSequence(lane: string | undefined, sequence: number | undefined): string {
  return lane === undefined ? DASH : withSequence(shortLane(lane), sequence)
}

/** The same with the whole name of a generation. */
export function wholeLaneSequence(lane: string | undefined, sequence: number | undefined): string {
  return lane === undefined ? DASH : withSequence(nameLane(lane), sequence)
}

function withSequence(lane: string, sequence: number | undefined): string {
  return sequence === undefined ? lane : `${lane} ${sequence}`
}

/** `18 → 2`, `9 → removed`, `new → 4`. */
export function stepText(before: number | null, after: number | null): string {
  return `${before ?? 'new'} → ${after ?? 'removed'}`
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, '0')
}
