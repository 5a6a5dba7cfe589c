import type {AttemptRow, FrameRow, GapRow} from '../../../shared/contract/rows.ts'
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

/** The next gap after the selected frame; after the last, the first again. */
export function nextGap(gaps: readonly GapRow[], selected: number | undefined): Stop | undefined {
  const found = gaps.find(({frame}) => frame > (selected ?? -1)) ?? gaps[0]
  return found === undefined ? undefined : {frame: found.frame, at: found.receivedAt}
}

/** The next frame whose callback has not resolved: it runs, or it failed and nothing made it good. */
export function nextOpenCallback(
  attempts: readonly AttemptRow[],
  frames: readonly FrameRow[],
  selected: number | undefined,
): Stop | undefined {
  const unsettled = new Set(frames.filter(({outcome}) => outcome === 'rejected').map(({id}) => id))
  for (const {redelivers} of frames) if (redelivers !== undefined) unsettled.delete(redelivers)
  const open = attempts
    .filter(({frame, state}) => state === 'pending' || unsettled.has(frame))
    .map(({frame, startedAt}): Stop => ({frame, at: startedAt}))
    .sort((a, b) => a.frame - b.frame)
  return open.find(({frame}) => frame > (selected ?? -1)) ?? open[0]
}
