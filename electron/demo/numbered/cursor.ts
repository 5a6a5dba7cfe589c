import {isJsonObject, member} from '../../../shared/base/json.ts'

/** A place in a numbered stream. Generations are ordered, and sequences count from 0 in each. */
export interface NumberedCursor {
  readonly generation: number
  readonly sequence: number
}

/** Below 0: `a` comes first. Generation first, whatever the sequences. */
export function compareCursors(a: NumberedCursor, b: NumberedCursor): number {
  return a.generation - b.generation || a.sequence - b.sequence
}

/** `undefined` where it is no such cursor: a part is missing, negative, fractional, unsafe or no number. */
export function readCursor(value: unknown): NumberedCursor | undefined {
  if (!isJsonObject(value)) return undefined
  const [generation, sequence] = [member(value, 'generation'), member(value, 'sequence')]
  return isCount(generation) && isCount(sequence) ? {generation, sequence} : undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
