import {readFileSync} from 'node:fs'
import type {Patient} from '../patient.ts'
import type {FramePoint} from '../point.ts'
import type {Death} from '../run-child.ts'
import type {Ward} from '../ward.ts'
import {nth, WORDS} from './frames.ts'
import {missing, whole} from './scripts.ts'

/* A handler of the user's: a command whose children ignore SIGTERM. It has its effect in a process of its own. */

/** A command starts within about so long, and runs about so long, in ms. */
const STARTING_MS = 20
const RUNNING_MS = 150

const POINTS: readonly FramePoint[] = ['journaled', 'begun', 'ended', 'settling', 'settled']

export async function killAroundCommands(ward: Ward): Promise<void> {
  const patient = await ward.admit({scenario: whole, plan: {work: {kind: 'command'}, waits: 'engine'}})
  const live = async (step: string, death: Death): Promise<void> => {
    const autopsy = await patient.live(death)
    const {kept, effects} = autopsy
    ward.note(`command: ${step}`, autopsy, kept === undefined ? [] : missing(kept, effects, true))
  }
  for (let round = 0; round < ward.rounds; round++) {
    for (const point of POINTS) await live(WORDS[point], {at: nth(point, 1 + Math.floor(ward.dice() * 2))})
    await live('while it is started', {at: nth('begun', 1), lingerMs: ward.dice() * STARTING_MS})
    await live('while it runs, its effect done', {when: afterEffects(patient, 1 + Math.floor(ward.dice() * 2))})
    await live('at random', {after: {since: 'firstWord', ms: ward.dice() * 4 * RUNNING_MS}})
  }
}

/** So many effects more than now. */
function afterEffects({effects}: Patient, more: number): () => boolean {
  const count = (): number => readFileSync(effects, 'utf8').split('\n').length
  const enough = count() + more
  return () => count() >= enough
}
