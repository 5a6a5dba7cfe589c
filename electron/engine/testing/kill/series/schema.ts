import {cpSync, existsSync, readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {profileFiles} from '../../../store/profile.ts'
import {quickCheck} from '../../../store/quick-check.ts'
import {MIGRATIONS} from '../../../store/schema.ts'
import type {Autopsy, Patient} from '../patient.ts'
import type {StorePassed, StorePoint} from '../point.ts'
import type {Death} from '../run-child.ts'
import type {Ward} from '../ward.ts'
import {killInCommit} from './commits.ts'
import {makeOlder} from './older-store.ts'
import {missing, whole} from './scripts.ts'

/* Killed while the schema is made, or brought up to date. Each death has a profile of its own, as it was before. */

const nth =
  (point: StorePoint, n = 1) =>
  (passed: StorePassed, soFar: readonly StorePassed[]): boolean =>
    passed.point === point && soFar.filter((one) => one.point === point).length === n

/** A copy of a small store and a commit of some pages take about as long, in ms. */
const COPY_MS = 12
const COMMIT_MS = 4

type Deaths = readonly (readonly [step: string, death: Death])[]

function makingDeaths({dice}: Ward): Deaths {
  return [
    ['before the first step', {atStore: nth('migrating')}],
    ['all steps taken, its version not written', {atStore: nth('migrated')}],
    ['before the commit', {atStore: nth('committing')}],
    ['commit', {atStore: nth('committing'), lingerMs: dice() * COMMIT_MS}],
    ['committed', {atStore: nth('committed')}],
  ]
}

function copyingDeaths({dice}: Ward): Deaths {
  return [
    ['before its copy', {atStore: nth('backingUp')}],
    ['during its copy', {atStore: nth('backingUp'), lingerMs: dice() * COPY_MS}],
    ['during its copy', {atStore: nth('backingUp'), lingerMs: dice() * COPY_MS}],
    ['its copy made', {atStore: nth('backedUp')}],
  ]
}

/** A profile that is not there yet: the first life is killed while it makes one. */
export async function killAtFirstStart(ward: Ward): Promise<void> {
  const patient = await ward.admit({scenario: whole, plan: {work: {kind: 'effect'}, waits: 'engine'}})
  for (const death of Array.from({length: ward.rounds}, () => makingDeaths(ward)).flat()) {
    for (const name of readdirSync(patient.profile)) rmSync(join(patient.profile, name))
    patient.forget()
    await die(patient, death, (step, autopsy) => ward.note(`first start: ${step}`, autopsy))
    const after = await patient.live({at: isHandled})
    ward.note('first start: the start after it', after, after.kept === undefined ? [] : handledIn(after))
  }
}

async function die(patient: Patient, [step, death]: Deaths[number], note: (step: string, autopsy: Autopsy) => void) {
  if (step === 'commit') await killInCommit(patient, death, note, {waits: 'store'})
  else note(step, await patient.live(death, {waits: 'store'}))
}

function isHandled({point, outcomes}: {readonly point: string; readonly outcomes?: readonly string[]}): boolean {
  return point === 'settled' && outcomes?.includes('handled') === true
}

function handledIn({kept}: Autopsy): readonly string[] {
  return kept?.frames.some(({outcome}) => outcome === 'handled') === true ? [] : ['nothing was handled']
}

/** A profile of the version before: killed while it is copied and brought up to date, and then started again. */
export async function killInMigration(ward: Ward): Promise<void> {
  const patient = await ward.admit({scenario: whole, plan: {work: {kind: 'effect'}, waits: 'engine'}})
  const twelfth: Death['at'] = (passed, soFar) => isHandled(passed) && soFar.filter(isHandled).length === 12
  ward.note('before a migration: after the commit', await patient.live({at: twelfth}))
  for (let round = 0; round < ward.rounds; round++)
    for (const death of [...copyingDeaths(ward), ...makingDeaths(ward)]) {
      const older = makeOlderProfile(patient.profile)
      await die(patient, death, (step, autopsy) =>
        ward.note(`migration: ${step}`, autopsy, [...missed(autopsy), ...unlikeOlder(patient.profile, older)]),
      )
      const after = await patient.live({at: isHandled})
      const left = [...litter(patient.profile), ...uncopied(patient.profile)]
      ward.note('migration: the start after it', after, [...missed(after), ...left])
      rmSync(older, {recursive: true})
    }
}

/** As the version before would have left it, without copies of earlier versions. @returns where another one like it is */
function makeOlderProfile(profile: string): string {
  const older = `${profile}-older`
  for (const name of readdirSync(profile)) if (name.includes('backup')) rmSync(join(profile, name))
  cpSync(profile, older, {recursive: true})
  makeOlder(profileFiles(older).store, MIGRATIONS.length - 1)
  rmSync(profile, {recursive: true})
  cpSync(older, profile, {recursive: true})
  return older
}

function missed({kept, effects}: Autopsy): readonly string[] {
  return kept === undefined ? [] : missing(kept, effects, true)
}

/** Whichever version it is of now, every frame is as it was; a copy that has its name is whole. */
function unlikeOlder(profile: string, older: string): readonly string[] {
  const before = framesIn(profileFiles(older).store)
  const files = [profileFiles(profile).store, ...copiesIn(profile)]
  return files.filter((path) => framesIn(path) !== before).map((path) => `${path} is not what it was`)
}

function copiesIn(profile: string): readonly string[] {
  return readdirSync(profile)
    .filter((name) => name.endsWith('.backup'))
    .map((name) => join(profile, name))
}

function uncopied(profile: string): readonly string[] {
  return copiesIn(profile).length > 0 ? [] : ['there is no copy of the older version']
}

/** What a killed process left half done must not stay for ever. */
function litter(profile: string): readonly string[] {
  return readdirSync(profile)
    .filter((name) => name.includes('unfinished'))
    .map((name) => `${name} stayed`)
}

/** @returns every frame, as one text */
function framesIn(path: string): string {
  if (!existsSync(path)) return 'nothing'
  const db = new DatabaseSync(path, {readOnly: true})
  try {
    const damage = quickCheck(db)
    const rows = db.prepare('SELECT id, outcome, attempt, steps, hex(bytes) AS bytes FROM frames ORDER BY id').all()
    return damage?.detail ?? JSON.stringify(rows)
  } finally {
    db.close()
  }
}
