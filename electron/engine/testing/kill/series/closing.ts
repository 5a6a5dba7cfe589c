import type {Passed, StorePassed} from '../point.ts'
import type {Ward} from '../ward.ts'
import {missing, plenty} from './scripts.ts'

/* Killed while it closes by itself. */

/** The log is taken over into the file as the last connection closes. About as long, in ms. */
const TAKING_OVER_MS = 6

export async function killOnClose(ward: Ward): Promise<void> {
  const patient = await ward.admit({scenario: plenty, plan: {work: {kind: 'effect'}, waits: 'engine'}})
  const live: typeof patient.live = async (death, more) => {
    const autopsy = await patient.live(death, more)
    const {kept, effects, violations} = autopsy
    return {...autopsy, violations: [...violations, ...(kept === undefined ? [] : missing(kept, effects, true))]}
  }
  const atStore =
    (point: StorePassed['point']) =>
    (passed: StorePassed): boolean =>
      passed.point === point
  const stopped = ({point, state}: Passed, soFar: readonly Passed[]): boolean =>
    point === 'state' && state === 'stopped' && soFar.some((one) => one.point === 'closing')
  for (let round = 0; round < ward.rounds; round++) {
    for (const closes of ['settled', 'inCallback'] as const) {
      const when = closes === 'settled' ? 'on close' : 'on close in the middle of a callback'
      ward.note(`${when}: as it begins`, await live({at: ({point}) => point === 'closing'}, {closes}))
      ward.note(`${when}: the source stopped`, await live({at: stopped}, {closes}))
    }
    const more = {closes: 'settled', waits: 'store'} as const
    ward.note('on close: before the log is taken over', await live({atStore: atStore('closing')}, more))
    const lingerMs = ward.dice() * TAKING_OVER_MS
    ward.note('on close: as the log is taken over', await live({atStore: atStore('closing'), lingerMs}, more))
    ward.note('on close: the store closed', await live({atStore: atStore('closed')}, more))
  }
}
