import {laneHeld} from '../../../shared/callbacks/settle-cursor.ts'
import {admit, type Lane} from '../../../shared/cursor/lane.ts'
import type {SequencedFrame} from '../../../shared/frames/frame.ts'
import type {Leftover} from '../leftover.ts'
import type {SourceRun} from '../source-run.ts'

export interface FirstOfNumbering extends Leftover {
  readonly frame: SequencedFrame
}

/** The server numbers anew below what is held, and the user has not taken it. */
export function isReset(lane: Lane, {cursor, newConnection, taken}: SequencedFrame): boolean {
  return taken !== true && admit(lane, cursor, newConnection).verdict.decision === 'numberingReset'
}

/** The frame that waits for the user's word about a numbering that began anew with it, and for nothing else. */
export function newNumbering(
  {held, leftovers}: Pick<SourceRun, 'held' | 'leftovers'>,
  frame: number,
): FirstOfNumbering | undefined {
  const found = leftovers.find(({journaled}) => journaled.id === frame)
  return found !== undefined && isFirst(found) && isReset(laneHeld(held), found.frame) ? found : undefined
}

function isFirst(leftover: Leftover): leftover is FirstOfNumbering {
  return leftover.frame.kind === 'sequenced'
}
