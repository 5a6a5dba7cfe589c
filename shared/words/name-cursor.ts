import type {Cursor, Generation} from '../cursor/cursor.ts'
import {generationOfLane} from '../cursor/cursor-position.ts'
import {cutName} from '../frames/summary.ts'

/** A longer name of a generation is cut to this many characters; the whole one stands where it is pointed at. */
const SHORT_NAME = 4

/** `0762…` of `0762effa9b4d`. A number is never cut. */
export function shortGeneration(generation: Generation): string {
  const name = String(generation)
  return typeof generation === 'string' && name.length > SHORT_NAME + 1 ? `${name.slice(0, SHORT_NAME)}…` : name
}

/** A lane as it is read: a room by its coordinate, a generation by its own name. A name of megabytes is not read. */
export function nameLane(lane: string): string {
  const generation = generationOfLane(lane)
  return cutName(generation === undefined ? lane : String(generation))
}

/** The same, where there is little room. */
export function shortLane(lane: string): string {
  const generation = generationOfLane(lane)
  return generation === undefined ? cutName(lane) : shortGeneration(generation)
}

/** `gen 0762… · 58`. */
export function shortCursor({generation, sequence}: Cursor): string {
  return `gen ${shortGeneration(generation)} · ${sequence}`
}

/** `generation 0762effa9b4d, sequence 58`. */
export function wholeCursor({generation, sequence}: Cursor): string {
  return `generation ${generation}, sequence ${sequence}`
}
