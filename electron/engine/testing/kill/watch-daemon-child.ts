import {fsyncSync, openSync, writeSync} from 'node:fs'
import type {SourceId, SourceRecord} from '../../../../shared/source/source.ts'
import type {Delivery} from '../../callbacks.ts'
import {systemClock} from '../../clock.ts'
import {createEngine} from '../../engine.ts'
import {socketTransport} from '../../prime/socket-transport.ts'
import {openSqliteStore} from '../../store/sqlite-store.ts'
import type {DaemonChildPlan, DaemonEffect} from './daemon-plan.ts'

/*
 * A process that watches one session of a daemon with a real store, made to be killed. What its callbacks did stands in a file
 * that survives it; every fortieth event fails at first.
 */

/** However its parent ends, this process ends. In ms. */
const LONGEST_LIFE_MS = 60_000

const {store: path, worker, socket, sessionId, effects: log} = JSON.parse(process.argv[2] ?? '') as DaemonChildPlan // written by its parent
const clock = systemClock()
const effects = openSync(log, 'a')

async function run({frame, attempt}: Delivery): Promise<void> {
  if (frame.kind !== 'sequenced') return
  const {generation, sequence} = frame.cursor
  if (sequence % 40 === 0 && attempt === 1) throw new Error('the first time it fails')
  const effect: DaemonEffect = {generation: String(generation), sequence, attempt}
  writeSync(effects, `${JSON.stringify(effect)}\n`)
  fsyncSync(effects)
}

const opened = await openSqliteStore({path, workerUrl: new URL(worker), onTrouble: () => {}})
if (!opened.ok) throw new Error(opened.error.detail)
const store = opened.value
const record: SourceRecord = {
  id: 'watched' as SourceId, // there is only one
  name: 'watched',
  settings: {kind: 'demo', scenario: 'prime:test'},
  connectionId: 'none',
  addedAt: clock.now(),
  paused: false,
}
if ((await store.load()).sources.length === 0) await store.commit([{kind: 'sourceAdded', source: record}])
await createEngine({
  store: {
    ...store,
    async commit(changes) {
      await store.commit(changes)
      if (changes.some(({kind}) => kind === 'frameJournaled')) writeSync(1, '.\n')
    },
  },
  clock,
  tokens: {get: async () => undefined, set: async () => {}, delete: async () => {}, describe: 'in a test'},
  openTransport: () => {
    throw new Error('no bridge is watched here')
  },
  demo: {
    start: () => Promise.reject(new Error('no bridge is watched here')),
    startDaemon: async () => ({socket, sessionId, callbacks: {onEvent: run, onGap: run}}),
    stop: async () => {},
  },
  prime: {transport: socketTransport(clock), sockets: {load: async () => [], save: async () => {}}},
  shell: {version: '0', mode: 'host', profile: 'test'},
})
process.stdin.on('end', () => process.exit(0)).resume()
void clock.wait(LONGEST_LIFE_MS, new AbortController().signal).then(() => process.exit(0))
