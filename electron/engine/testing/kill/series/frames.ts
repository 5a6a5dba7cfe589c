import type {KeptProfile} from '../check-profile.ts'
import type {Autopsy, Patient} from '../patient.ts'
import {FRAME_POINTS, type FramePoint, type Passed} from '../point.ts'
import {repeated} from '../rules.ts'
import type {Ward} from '../ward.ts'
import {falling, missing, whole} from './scripts.ts'

/* Killed between any two steps of a frame, the engine's thread blocked at that very point. */

export const WORDS: Readonly<Record<FramePoint, string>> = {
  received: 'after the bytes',
  journaling: 'before the journal',
  journaled: 'after the journal',
  begun: 'as its callback begins',
  effect: 'during its callback, its effect done',
  ended: 'as its callback ends',
  settling: 'between its callback and the commit',
  settled: 'after the commit',
}

/** The how manieth passing of a point in this life. */
export function nth(point: FramePoint, n: number): (passed: Passed, soFar: readonly Passed[]) => boolean {
  return (passed, soFar) => passed.point === point && soFar.filter((one) => one.point === point).length === n
}

export async function killAroundEvents(ward: Ward): Promise<void> {
  const patient = await ward.admit({scenario: whole, plan: {work: {kind: 'effect'}, waits: 'engine'}})
  for (let round = 0; round < ward.rounds; round++)
    for (const point of FRAME_POINTS) {
      const n = point === 'received' ? 1 : 1 + Math.floor(ward.dice() * 4)
      note(ward, `event: ${WORDS[point]}`, await patient.live({at: nth(point, n)}))
    }
}

function note(ward: Ward, step: string, autopsy: Autopsy): void {
  ward.note(step, autopsy, autopsy.kept === undefined ? [] : missing(autopsy.kept, autopsy.effects, true))
}

/** A gap that was left over is met again at the next point; one that is applied at once goes before. */
const GAP_POINTS = ['settled', ...FRAME_POINTS] as const

export async function killAroundGaps(ward: Ward, kind: 'effect' | 'command'): Promise<void> {
  // What a command does is seen from outside only.
  const once = GAP_POINTS.filter((point) => kind === 'effect' || point !== 'effect')
  const points = Array.from({length: ward.rounds}, () => once).flat()
  const patient = await ward.admit({scenario: falling(points.length), plan: {work: {kind}, waits: 'engine'}})
  for (const point of points) {
    const autopsy = await patient.live({at: (passed) => passed.point === point && passed.frames.some(isGap)})
    ward.note(
      `${kind === 'command' ? 'command for a gap' : 'gap'}: ${WORDS[point]}`,
      autopsy,
      autopsy.kept === undefined ? [] : misapplied(autopsy, autopsy.kept, point),
    )
  }
}

function isGap(name: string): boolean {
  return name.includes('"resumed_position"')
}

/** The old position stands until the commit behind the gap's callback. */
function misapplied({life}: Autopsy, kept: KeptProfile, point: FramePoint): readonly string[] {
  const name = life.passed.at(-1)?.frames.find(isGap)
  const gap = kept.frames.findLast((frame) => frame.kind === 'gap')
  const applied = gap !== undefined && gap.name === name && kept.moved.includes(gap.id)
  return applied === (point === 'settled') ? [] : [`killed at ${point}, the gap is ${applied ? '' : 'not '}applied`]
}

/** What a dead process left in the journal goes first in the next one, which is killed meanwhile. */
export async function killAtLeftovers(ward: Ward): Promise<void> {
  const patient = await ward.admit({scenario: whole, plan: {work: {kind: 'effect'}, waits: 'engine'}})
  for (let round = 0; round < ward.rounds; round++) {
    note(ward, `event: ${WORDS.journaled}`, await patient.live({at: nth('journaled', 1)}))
    for (const point of ['begun', 'effect', 'ended', 'settling', 'settled'] as const)
      note(ward, `left over at the start: ${WORDS[point]}`, await killBeforeOpening(patient, point))
  }
}

async function killBeforeOpening(patient: Patient, point: FramePoint): Promise<Autopsy> {
  const autopsy = await patient.live({at: (passed) => passed.point === point || passed.point === 'opening'})
  if (autopsy.life.passed.at(-1)?.point !== 'opening') return autopsy
  return {...autopsy, violations: [...autopsy.violations, 'the stream was opened before what was left over']}
}

/** Without callbacks a run of frames is journaled and acknowledged in one commit. */
export async function killAroundRuns(ward: Ward): Promise<void> {
  const patient = await ward.admit({scenario: whole, plan: {work: {kind: 'none'}, waits: 'engine'}})
  for (let round = 0; round < ward.rounds; round++)
    for (const point of ['received', 'settling', 'settled', 'received'] as const) {
      const autopsy = await patient.live({at: nth(point, point === 'received' ? 2 : 1)})
      const {kept} = autopsy
      const more = kept === undefined ? [] : [...missing(kept, [], false), ...repeated(kept)]
      ward.note(`without callbacks: ${point === 'settling' ? 'before the commit' : WORDS[point]}`, autopsy, more)
    }
}
