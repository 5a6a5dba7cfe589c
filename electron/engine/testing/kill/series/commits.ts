import type {Autopsy, Patient} from '../patient.ts'
import type {StorePassed, StorePoint} from '../point.ts'
import {repeated} from '../rules.ts'
import type {Ward} from '../ward.ts'
import {missing, plenty} from './scripts.ts'

/* Killed while the store writes: its thread is blocked at a step of a transaction, or let go into the commit itself. */

/** A commit takes about as long, in ms. */
const COMMIT_MS = {alone: 0.6, together: 8}

export async function killInCommits(ward: Ward, callbacks: boolean): Promise<void> {
  const work = {kind: callbacks ? 'effect' : 'none'} as const
  const patient = await ward.admit({scenario: plenty, plan: {work, waits: 'store'}})
  const note = (step: string, autopsy: Autopsy): void => {
    const {kept, effects} = autopsy
    const more = kept === undefined ? [] : [...missing(kept, effects, callbacks), ...(callbacks ? [] : repeated(kept))]
    ward.note(`${callbacks ? 'one frame' : 'many frames'}: ${step}`, autopsy, more)
  }
  const nth = (): number => 4 + Math.floor(ward.dice() * 8)
  for (let round = 0; round < ward.rounds; round++) {
    note('transaction begun, nothing written', await patient.live({atStore: nthWrite('beginning', nth())}))
    note('all written, before the commit', await patient.live({atStore: nthWrite('committing', nth())}))
    for (let n = 0; n < 2; n++) {
      const lingerMs = ward.dice() * COMMIT_MS[callbacks ? 'alone' : 'together']
      await killInCommit(patient, {atStore: nthWrite('committing', nth()), lingerMs}, note)
    }
    note('committed, and nobody told', await patient.live({atStore: nthWrite('committed', nth())}))
  }
}

/** Let go into its commit and killed within it, or right behind it: what it said last tells which. */
export async function killInCommit(
  patient: Patient,
  death: Parameters<Patient['live']>[0],
  note: (step: string, autopsy: Autopsy) => void,
  more: Parameters<Patient['live']>[1] = {},
): Promise<void> {
  const autopsy = await patient.live(death, more)
  const inside = autopsy.life.stored.at(-1)?.point === 'committing'
  note(inside ? 'in the commit' : 'right behind the commit', autopsy)
}

function nthWrite(point: StorePoint, n: number): (passed: StorePassed, soFar: readonly StorePassed[]) => boolean {
  const isIt = (one: StorePassed): boolean => one.point === point && one.of === 'write'
  return (passed, soFar) => isIt(passed) && soFar.filter(isIt).length === n
}
