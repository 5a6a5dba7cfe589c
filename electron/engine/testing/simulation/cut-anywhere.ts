import type {Dice} from './dice.ts'

/** Cuts anywhere, also inside a character: mostly once or not at all, sometimes after every few bytes. */
export function cutAnywhere(bytes: Uint8Array, dice: Dice, longest: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + dice.below(Math.max(1, longest))
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}
