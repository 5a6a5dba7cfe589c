import {systemClock} from '../../electron/engine/clock.ts'
import {freshRun} from '../../electron/engine/load-run.ts'
import {openSqliteStore} from '../../electron/engine/store/sqlite-store.ts'
import type {Store} from '../../electron/engine/store/store.ts'
import type {SwitchSourceDeps} from '../../electron/engine/switch/switch-deps.ts'
import type {OpenStream, StreamEnd} from '../../electron/engine/switch/transport.ts'
import {watchOnce} from '../../electron/engine/switch/watch-once.ts'
import {createSseReader} from '../../electron/engine/wire/sse-reader.ts'
import {ok} from '../../shared/base/result.ts'
import {epochMs} from '../../shared/base/units.ts'
import type {Arrival} from '../../shared/frames/raw-frame.ts'
import type {FrameId} from '../../shared/history/frame-id.ts'
import type {SourceId, SourceRecord} from '../../shared/source/source.ts'
import {cutInto} from './switch-text.ts'

const WORKER = new URL('../../electron/engine/store/store-worker.ts', import.meta.url)

export async function openBenchStore(path: string): Promise<Store> {
  const opened = await openSqliteStore({path, workerUrl: WORKER})
  if (!opened.ok) throw new Error(opened.error.detail)
  return opened.value
}

export function benchSource(name: string): SourceRecord {
  const settings = {
    kind: 'switch',
    url: 'http://127.0.0.1',
    agentId: 'bench',
    watchAs: 'own',
    startFrom: 'retained',
  } as const
  return {id: name as SourceId, name, settings, connectionId: name, addedAt: epochMs(Date.now()), paused: false}
}

export interface WatchedSource {
  /** Brings a body through the whole engine, from its bytes to the durable cursor, without a socket. */
  readonly take: (body: Buffer, pieceBytes: number) => Promise<void>
}

/** One source of the engine, whose streams are bodies that are here already. */
export async function watchBodies(store: Store, name: string): Promise<WatchedSource> {
  const record = benchSource(name)
  const clock = systemClock()
  await store.commit([{kind: 'sourceAdded', source: record}])
  const run = freshRun(record, clock.now())
  let nextId = Number((await store.load()).nextFrameId)
  let body: {readonly bytes: Buffer; readonly pieceBytes: number} = {bytes: Buffer.alloc(0), pieceBytes: 1}
  const deps: SwitchSourceDeps = {
    transport: {
      open: async () => ok(streamOf(body.bytes, body.pieceBytes)),
      beat: async () => ok(undefined),
    },
    clock,
    nextFrameId: () => nextId++ as FrameId, // the only writer of this store
    commit: store.commit,
    change: async () => record,
    enter: async () => true,
    heartbeat: () => {},
    touched: () => {},
  }
  return {
    async take(bytes, pieceBytes) {
      body = {bytes, pieceBytes}
      await watchOnce(run, deps, new AbortController().signal, async () => {})
    },
  }
}

function streamOf(bytes: Buffer, pieceBytes: number): OpenStream {
  return {batches: readPieces(bytes, pieceBytes)}
}

async function* readPieces(
  bytes: Buffer,
  pieceBytes: number,
): AsyncGenerator<readonly Arrival[], StreamEnd, undefined> {
  const reader = createSseReader()
  for (const piece of cutInto(bytes, pieceBytes)) yield reader.feed(piece)
  return {kind: 'closed'}
}
