import {type CoordinateKey, OWN, type Position, type Sequence, type Step} from '../position/position.ts'
import type {SwitchFrame} from './frame.ts'

/** Where a frame is drawn, and its number there. */
export interface Place {
  readonly lane?: CoordinateKey
  readonly sequence?: Sequence
}

/** The room the frame moved, or `s`; where it moved nothing, the room or `s` it reported. A frame that reports nothing has no place. */
export function placeOf(frame: SwitchFrame, steps: readonly Step[]): Place {
  if (frame.kind === 'control') return {}
  if (frame.kind === 'gap') return {lane: OWN, ...sequenceAt(steps, OWN)}
  const moved = steps.find(({key}) => isRoom(key)) ?? steps[0]
  if (moved?.after !== undefined) return {lane: moved.key, sequence: moved.after}
  return reportedPlace(frame)
}

function reportedPlace(frame: Exclude<SwitchFrame, {kind: 'control' | 'gap'}>): Place {
  const {update} = frame
  if (update.kind === 'ownProgress') return {lane: OWN, sequence: update.own}
  if (update.kind !== 'progress') return {}
  return firstRoomOrOwn(update.reported)
}

function firstRoomOrOwn(reported: Position): Place {
  for (const [lane, sequence] of reported) if (isRoom(lane)) return {lane, sequence}
  for (const [lane, sequence] of reported) return {lane, sequence}
  return {}
}

function sequenceAt(steps: readonly Step[], key: CoordinateKey): {readonly sequence?: Sequence} {
  const after = steps.find((step) => step.key === key)?.after
  return after === undefined ? {} : {sequence: after}
}

function isRoom(key: CoordinateKey): boolean {
  return key.startsWith('r:')
}
