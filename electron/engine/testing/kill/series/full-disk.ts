import {closeSync, ftruncateSync, openSync, rmSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {type Autopsy, NoDisk, type Patient} from '../patient.ts'
import type {FramePoint, Passed} from '../point.ts'
import type {Death} from '../run-child.ts'
import type {Ward} from '../ward.ts'
import {nth, WORDS} from './frames.ts'
import {missing, whole} from './scripts.ts'

/* Killed on a disk that became full: at a step of a frame all space is taken but a few pages, so that one of the next commits breaks off in its middle. */

const SIZE = '8m'
const PAGE_BYTES = 4_096
/** A commit takes some of them. */
const PAGES_LEFT = 16
/** In ms. Whatever the disk would take has been tried by then. */
const QUIET_MS = 1_500
/** Until there is space again, in ms. */
const FULL_MS = 1_000

/** Where the last space is taken. */
const FILLED_AT: readonly FramePoint[] = ['received', 'journaled', 'begun', 'effect', 'settling', 'settled']

export async function killOnFullDisk(ward: Ward): Promise<void> {
  const patient = await ward
    .admit({scenario: whole, plan: {work: {kind: 'effect'}, waits: 'engine'}, disk: SIZE})
    .catch((cause: unknown) => {
      if (cause instanceof NoDisk) return undefined
      throw cause
    })
  if (patient === undefined) return
  const note = (step: string, autopsy: Autopsy): void =>
    ward.note(step, autopsy, autopsy.kept === undefined ? [] : missing(autopsy.kept, autopsy.effects, true))
  note('before the disk is full: after the commit', await patient.live({at: nth('settled', 3)}))
  for (let round = 0; round < ward.rounds; round++)
    for (const point of FILLED_AT) {
      const pages = Math.floor(ward.dice() * PAGES_LEFT)
      note(`disk filled ${WORDS[point]}: refused`, await liveUntilFull(patient, point, pages))
      note(`disk filled ${WORDS[point]}: space again`, await liveBeyond(patient, point, pages))
    }
}

/** Nothing goes on any more once the disk refused. */
async function liveUntilFull(patient: Patient, point: FramePoint, pages: number): Promise<Autopsy> {
  const at = once(point, () => fill(patient.profile, pages))
  const autopsy = await patient.live({at, quietMs: QUIET_MS})
  empty(patient.profile)
  return autopsy
}

/** With space it goes on by itself. */
async function liveBeyond(patient: Patient, point: FramePoint, pages: number): Promise<Autopsy> {
  let space = false
  let settled = 0
  const filling = once(point, () => {
    fill(patient.profile, pages)
    setTimeout(() => {
      empty(patient.profile)
      space = true
    }, FULL_MS)
  })
  const at: Death['at'] = (passed, soFar) => {
    filling(passed, soFar)
    settled += Number(space && passed.point === 'settled')
    return settled > 1
  }
  return patient.live({at})
}

/** Does something at the second such point of a life, and never ends it. */
function once(point: FramePoint, what: () => void): NonNullable<Death['at']> {
  const isIt = nth(point, point === 'received' ? 1 : 2)
  return (passed: Passed, soFar: readonly Passed[]) => {
    if (isIt(passed, soFar)) what()
    return false
  }
}

/** Takes all the space of the disk but so many pages. */
function fill(profile: string, pages: number): void {
  const file = openSync(join(profile, 'filler'), 'w')
  let size = 0
  try {
    for (;;) size += writeSync(file, Buffer.alloc(PAGE_BYTES))
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'ENOSPC') throw cause
  }
  ftruncateSync(file, Math.max(0, size - pages * PAGE_BYTES))
  closeSync(file)
}

function empty(profile: string): void {
  rmSync(join(profile, 'filler'), {force: true})
}
