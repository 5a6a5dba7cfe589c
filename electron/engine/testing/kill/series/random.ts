import {repeated} from '../rules.ts'
import type {Death} from '../run-child.ts'
import type {Ward} from '../ward.ts'
import {missing, plenty} from './scripts.ts'

/* Killed at any moment, nothing being waited for. */

const LIVES_A_ROUND = 5
/** A start takes about as long, in ms; and as long again, frames are being handled. */
const START_MS = 600
const BUSY_MS = 300

export async function killAtRandom(ward: Ward, callbacks: boolean): Promise<void> {
  const work = {kind: callbacks ? 'effect' : 'none'} as const
  const patient = await ward.admit({scenario: plenty, plan: {work, waits: 'nowhere'}})
  for (let kill = 0; kill < ward.rounds * LIVES_A_ROUND; kill++) {
    const starting = kill % LIVES_A_ROUND === LIVES_A_ROUND - 1
    const death: Death = {
      after: starting ? {since: 'start', ms: ward.dice() * START_MS} : {since: 'firstWord', ms: ward.dice() * BUSY_MS},
    }
    const autopsy = await patient.live(death)
    const {kept, effects} = autopsy
    const more = kept === undefined ? [] : [...missing(kept, effects, callbacks), ...(callbacks ? [] : repeated(kept))]
    ward.note(
      `at random, ${starting ? 'from its start on' : callbacks ? 'with callbacks' : 'without callbacks'}`,
      autopsy,
      more,
    )
  }
}
