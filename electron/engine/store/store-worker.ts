import type {DatabaseSync} from 'node:sqlite'
import {parentPort, workerData} from 'node:worker_threads'
import {openDatabase} from './database.ts'
import {loadProfile} from './load.ts'
import {unpackChanges} from './pack-changes.ts'
import {pruneStep} from './prune.ts'
import {quickCheck} from './quick-check.ts'
import {readOpenActivities} from './read-activities.ts'
import {readFrameBytes, readFrameDetail, readFramesPage, readJournaled} from './read-frames.ts'
import {readGenerations} from './read-generations.ts'
import {readGaps, readHoles, readNumberings, readSize} from './read-ledger.ts'
import {readTimeline} from './read-timeline.ts'
import {storeErrorOf} from './sqlite-error.ts'
import {StoreFailure} from './store.ts'
import type {Asked, Question, Questions, Said, WorkerStart} from './store-messages.ts'
import {explainLost, rememberPlace, type StorePlace} from './store-place.ts'
import {viewProfile} from './view-profile.ts'
import {createWriteGroup} from './write-group.ts'

/** The thread that owns one connection to the file: the main thread never waits for a disk. */
function main(): void {
  const {path, role} = workerData as WorkerStart // given by sqlite-store.ts
  const opened = openDatabase({path, role: role === 'write' ? 'write' : 'read'})
  if (!opened.ok) say({kind: 'refused', error: opened.error})
  else if (role === 'check') check(opened.value)
  else serve(answers(opened.value, path, role))
}

function serve(answer: Answers): void {
  parentPort?.on('message', (asked: Asked) => say(answered(asked, answer)))
  say({kind: 'started'})
}

function check(db: DatabaseSync): void {
  const error = quickCheck(db)
  db.close()
  say(error === undefined ? {kind: 'started'} : {kind: 'refused', error})
}

type Answers = {readonly [Q in Question]: (ask: Questions[Q]['ask']) => Questions[Q]['answer']}

function answers(db: DatabaseSync, path: string, role: 'write' | 'read'): Answers {
  const writing = role === 'write' ? writer(db, rememberPlace(path)) : NO_WRITER
  return {
    ...writing,
    load: () => loadProfile(db),
    view: () => viewProfile(db),
    framesPage: (query) => readFramesPage(db, query),
    frameDetail: (frame) => readFrameDetail(db, frame),
    frameBytes: (query) => readFrameBytes(db, query),
    timeline: (query) => readTimeline(db, query),
    gaps: (query) => readGaps(db, query),
    holes: (query) => readHoles(db, query),
    numberings: (query) => readNumberings(db, query),
    generations: (query) => readGenerations(db, query),
    openActivities: (source) => readOpenActivities(db, source),
    journaled: (frame) => readJournaled(db, frame),
    size: () => readSize(db, path),
    close: () => {
      db.close()
      parentPort?.unref()
      return undefined
    },
  }
}

function writer(db: DatabaseSync, place: StorePlace): Pick<Answers, 'write' | 'prune'> {
  const writeGroup = createWriteGroup(db, place)
  return {
    write: (packed) => writeGroup(unpackChanges(packed)),
    prune(order) {
      const step = pruneStep(db, order)
      const lost = place.lost()
      if (lost !== undefined) throw new StoreFailure(explainLost(lost))
      return step
    },
  }
}

const NO_WRITER: Pick<Answers, 'write' | 'prune'> = {write: refuse, prune: refuse}

function refuse(): never {
  throw new Error('this worker only reads')
}

function answered({id, question, ask}: Asked, answer: Answers): Said {
  try {
    // The asker pairs question and value by the same table of types.
    return {kind: 'answer', id, answer: (answer[question] as (ask: unknown) => unknown)(ask)}
  } catch (cause) {
    return {kind: 'failed', id, error: storeErrorOf(cause)}
  }
}

function say(said: Said): void {
  parentPort?.postMessage(said)
}

main()
