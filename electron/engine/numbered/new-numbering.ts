import {laneHeld} from '../../../shared/callbacks/settle-cursor.ts'
import {admit, type Lane} from '../../../shared/cursor/lane.ts'
import type {SequencedFrame} from '../../../shared/frames/frame.ts'
import type {Leftover} from '../leftover.ts'
import type {SourceRun} from '../source-run.ts'

export interface FirstOfNumbering extends Leftover {
  readonly frame: SequencedFrame
}

/** The server numbers anew below what is held, and the user has not taken it. */
export function isReset(lane: Lane, frame: SequencedFrame): boolean {
  return frame.taken !== true && beginsAnew(lane, frame)
}

function beginsAnew(lane: Lane, {cursor, newConnection}: SequencedFrame): boolean {
  return admit(lane, cursor, newConnection).verdict.decision === 'numberingReset'
}

type Waiting = Pick<SourceRun, 'held' | 'leftovers'>

/** The frame that waits for the user's word about a numbering that began anew with it, and for nothing else. */
export function newNumbering(run: Waiting, frame: number): FirstOfNumbering | undefined {
  const first = firstOfNumbering(run, frame)
  return first?.frame.taken === true ? undefined : first
}

/** Also where the user has taken the numbering: while its first frame is not handled, nothing is taken. */
export function firstOfNumbering({held, leftovers}: Waiting, frame: number): FirstOfNumbering | undefined {
  const found = leftovers.find(({journaled}) => journaled.id === frame)
  return found !== undefined && isFirst(found) && beginsAnew(laneHeld(held), found.frame) ? found : undefined
}

function isFirst(leftover: Leftover): leftover is FirstOfNumbering {
  return leftover.frame.kind === 'sequenced'
}
