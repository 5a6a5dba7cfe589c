import type {FrameRow} from '../../../shared/contract/rows.ts'
import {instantOf} from './scene.ts'

/** A frame to select, and the instant to bring into view. */
export interface Stop {
  readonly frame: number
  readonly at: number
}

/** The frame before or after the selected one; from nothing, the newest. */
export function nextFrame(
  frames: readonly FrameRow[],
  selected: number | undefined,
  direction: 1 | -1,
): Stop | undefined {
  const ordered = direction === 1 ? frames : frames.toReversed()
  const beyond = ordered.find(({id}) => selected !== undefined && (id - selected) * direction > 0)
  const found = beyond ?? (selected === undefined ? frames.at(-1) : undefined)
  return found === undefined ? undefined : {frame: found.id, at: instantOf(found)}
}
