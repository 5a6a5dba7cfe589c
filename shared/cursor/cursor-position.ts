import type {CoordinateKey, Position, Sequence} from '../position/position.ts'
import type {Cursor, Generation} from './cursor.ts'

/*
 * A cursor {generation, sequence} as a position, which is how every cursor is kept, moved and drawn. An opaque generation is a
 * coordinate of its own, so that each has its own line and the one that is over ends. Numbered generations are one order: the
 * position has the two coordinates `generation` and `sequence`, and the sequence begins anew at every snapshot.
 */

/** The coordinates of a numbered cursor. */
export const GENERATION = 'generation' as CoordinateKey
export const SEQUENCE = 'sequence' as CoordinateKey

/** Names what was seen of one generation. The families never mix: number 10 is not string '10'. */
export function laneOfGeneration(generation: Generation): CoordinateKey {
  return (typeof generation === 'number' ? `n:${generation}` : `g:${generation}`) as CoordinateKey
}

/** The generation that a lane is named for; `undefined`: it is the lane of none. */
export function generationOfLane(lane: string): Generation | undefined {
  if (lane.startsWith('g:')) return lane.slice(2) as Generation // made by the function above
  return lane.startsWith('n:') ? (Number(lane.slice(2)) as Generation) : undefined
}

/** The lane on which what is named for this lane is drawn: numbered generations share one. */
export function drawnLane(lane: string): string {
  return lane.startsWith('n:') ? SEQUENCE : lane
}

/** True for the coordinates of a cursor {generation, sequence}; false for those of a vector. */
export function isCursorLane(lane: string): boolean {
  return lane === SEQUENCE || lane === GENERATION || generationOfLane(lane) !== undefined
}

/** The lane on which an event of this cursor is drawn. */
export function laneOfCursor({generation}: Cursor): CoordinateKey {
  return typeof generation === 'number' ? SEQUENCE : laneOfGeneration(generation)
}

export function positionOfCursor({generation, sequence}: Cursor): Position {
  if (typeof generation === 'string') return new Map([[laneOfGeneration(generation), sequence]])
  return new Map([
    [GENERATION, generation as number as Sequence], // both are non-negative safe integers
    [SEQUENCE, sequence],
  ])
}

/** The cursor that a position holds; `undefined`: none yet, or it is the position of another kind of source. */
export function cursorOfPosition(position: Position): Cursor | undefined {
  const sequence = position.get(SEQUENCE)
  const numbered = position.get(GENERATION)
  if (sequence !== undefined && numbered !== undefined) return {generation: numbered as number as Generation, sequence}
  for (const [lane, last] of position) {
    const generation = generationOfLane(lane)
    if (generation !== undefined) return {generation, sequence: last}
  }
  return undefined
}
