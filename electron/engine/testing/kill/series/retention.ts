import {DatabaseSync} from 'node:sqlite'
import {profileFiles} from '../../../store/profile.ts'
import type {KeptProfile} from '../check-profile.ts'
import type {Autopsy} from '../patient.ts'
import type {StorePassed, StorePoint} from '../point.ts'
import type {Ward} from '../ward.ts'
import {killInCommit} from './commits.ts'
import {plenty} from './scripts.ts'

/* Killed while old history is deleted, between the commits of what comes meanwhile. */

const KEEP_DAYS = 30
const DAY_MS = 86_400_000
/** A transaction deletes 200 frames and takes about as long, in ms. */
const COMMIT_MS = 4

/** Of frames enough for every death of a round, so that each finds something to delete. */
const FRAMES_A_ROUND = 3_000

export async function killInRetention(ward: Ward): Promise<void> {
  const patient = await ward.admit({scenario: plenty, plan: {work: {kind: 'none'}, waits: 'store'}})
  const note = (step: string, autopsy: Autopsy): void => {
    ward.note(`retention: ${step}`, autopsy, autopsy.kept === undefined ? [] : misdeleted(autopsy.kept))
  }
  const own = Math.min(ward.rounds, 2) * FRAMES_A_ROUND
  const full = await patient.live(
    {at: (passed) => passed.point === 'settled' && (passed.own ?? 0) >= own},
    {waits: 'engine'},
  )
  ward.note('before retention: after the commit', full)
  for (let round = 0; round < ward.rounds; round++) {
    age(profileFiles(patient.profile).store)
    note('before it deletes', await patient.live({atStore: nth('pruning', 2)}, {keepDays: KEEP_DAYS}))
    note('deleted, before the commit', await patient.live({atStore: nth('pruned', 2)}, {keepDays: KEEP_DAYS}))
    for (let n = 0; n < 2; n++) {
      const lingerMs = ward.dice() * COMMIT_MS
      await killInCommit(patient, {atStore: nth('committing', 1), lingerMs}, note, {keepDays: KEEP_DAYS})
    }
    note('committed', await patient.live({atStore: nth('committed', 1)}, {keepDays: KEEP_DAYS}))
  }
}

function nth(point: StorePoint, n: number): (passed: StorePassed, soFar: readonly StorePassed[]) => boolean {
  const isIt = (one: StorePassed): boolean => one.point === point && one.of === 'prune'
  return (passed, soFar) => isIt(passed) && soFar.filter(isIt).length === n
}

/** Everything that is there was received long ago. */
function age(path: string): void {
  const db = new DatabaseSync(path)
  db.exec(`UPDATE frames SET received_at = received_at - ${2 * KEEP_DAYS * DAY_MS}`)
  db.close()
}

/** What is counted as deleted is what is gone, from the first frame on, and the ledger has its frames. */
function misdeleted({frames, pruned, gaps}: KeptProfile): readonly string[] {
  const ids = new Set(frames.map(({id}) => id))
  const gone = Array.from({length: Math.max(0, ...ids)}, (_, n) => n + 1).filter((id) => !ids.has(id))
  const late = gone.filter((id) => id >= pruned.below)
  return [
    ...(gone.length === pruned.frames ? [] : [`${gone.length} frames are gone, ${pruned.frames} are counted`]),
    ...(late.length === 0 ? [] : [`frames are gone that were not to be deleted: ${late.slice(0, 5).join(', ')}`]),
    ...gaps.filter((id) => !ids.has(id)).map((id) => `the frame of gap ${id} is gone`),
  ]
}
