import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Store} from '../../electron/engine/store/store.ts'
import {type EpochMs, epochMs} from '../../shared/base/units.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId} from '../../shared/history/frame-id.ts'
import type {CoordinateKey, Sequence, Step} from '../../shared/position/position.ts'
import type {SourceId} from '../../shared/source/source.ts'
import {benchSource, openBenchStore} from './watched-source.ts'

export interface History {
  readonly directory: string
  readonly storePath: string
  readonly frames: number
  readonly from: EpochMs
  readonly spanMs: number
  /** The busiest of it is as busy as the others. */
  readonly source: SourceId
}

const START = epochMs(1_700_000_000_000)
const DAY_MS = 86_400_000
/** A million frames a day, so that ten times the frames are ten times as long, as with somebody who goes on using it. */
const FRAMES_A_DAY = 1_000_000
const SOURCES = ['bench-0', 'bench-1', 'bench-2'] as const
const ROOMS = 20
const COMMIT = 1_000
const BYTES = new Uint8Array(350).fill(65)

/** A profile with a history of so many frames. Built where it is not there whole already; that takes about 20 s a million. */
export async function makeHistory(parent: string, frames: number): Promise<History> {
  const directory = join(parent, `history-${frames}`)
  const storePath = join(directory, 'tidemark.db')
  const built = join(directory, 'built')
  const history = {directory, storePath, frames, from: START, spanMs: (frames / FRAMES_A_DAY) * DAY_MS}
  if (!existsSync(built)) {
    mkdirSync(directory, {mode: 0o700})
    const store = await openBenchStore(storePath)
    await fill(store, frames)
    await store.close()
    writeFileSync(built, '')
  }
  return {...history, source: SOURCES[0] as SourceId} // named by this file
}

async function fill(store: Store, frames: number): Promise<void> {
  await store.commit(SOURCES.map((name) => ({kind: 'sourceAdded', source: {...benchSource(name), paused: true}})))
  const writers = SOURCES.map(createWriter)
  for (let done = 0; done < frames; ) {
    const list: Change[] = []
    for (let n = 0; n < COMMIT; n++, done++) {
      const at = epochMs(START + Math.floor((done * DAY_MS) / FRAMES_A_DAY))
      list.push(...(writers[done % writers.length]?.(done + 1, at) ?? []))
    }
    await store.commit(list)
  }
}

/** Makes up what an engine would commit for a frame of a source: mostly events; now and then what a person looks for. */
function createWriter(name: string): (id: number, at: EpochMs) => readonly Change[] {
  const source = name as SourceId // named by this file
  const held = new Map<CoordinateKey, Sequence>()
  const step = (key: string): Step => {
    const lane = key as CoordinateKey // likewise
    const before = held.get(lane)
    const after = ((before ?? 0) + 1) as Sequence // counted from 1
    held.set(lane, after)
    return before === undefined ? {key: lane, after} : {key: lane, before, after}
  }
  return (id, at) => {
    const frame = id as FrameId // counted from 1
    const room = `r:room-${(id * 7919) % ROOMS}`
    const kept = {source, receivedAt: at, event: 'message', bytes: BYTES, size: BYTES.length, cuts: []} as const
    if (id % 1_000 === 500) {
      const malformed = {...kept, id: frame, kind: 'malformed', summary: 'not JSON'} as const
      return [{kind: 'frameJournaled', frame: malformed, outcome: 'malformed', attempt: 0}]
    }
    const lane = {lane: room as CoordinateKey, sequence: id as Sequence} // likewise
    const event = {...kept, ...lane, id: frame, kind: 'event', summary: `@ada: message ${id}`} as const
    const move = {source, at, cause: 'handled', frame, steps: [step('s'), step(room)]} as const
    const changes: Change[] = [
      {kind: 'frameJournaled', frame: event, outcome: 'handled', attempt: 1},
      {kind: 'cursorMoved', move},
    ]
    if (id % 5_000 === 2_501) changes.push(gapAt(frame, source, at, new Map(held)))
    if (id % 2_000 < SOURCES.length) changes.push(connectionAt(source, at))
    return changes
  }
}

function gapAt(frame: FrameId, source: SourceId, at: EpochMs, held: ReadonlyMap<CoordinateKey, Sequence>): Change {
  const moved = {before: held, after: held, wentBack: [], removed: []}
  return {kind: 'gapRecorded', gap: {frame, source, receivedAt: at, outcome: 'replaced', said: {}, ...moved}}
}

function connectionAt(source: SourceId, at: EpochMs): Change {
  return {kind: 'connectionChanged', connection: {source, at, state: {kind: 'live', attempt: 1}, heartbeat: 'fresh'}}
}
