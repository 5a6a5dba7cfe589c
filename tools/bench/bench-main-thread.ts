import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {get} from 'node:http'
import {join} from 'node:path'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {fileURLToPath} from 'node:url'
import {systemClock} from '../../electron/engine/clock.ts'
import {createEngine, type Engine} from '../../electron/engine/engine.ts'
import {httpTransport} from '../../electron/engine/switch/http-transport.ts'
import type {Figure} from './figure.ts'
import {median} from './measure.ts'
import {openBenchStore} from './watched-source.ts'

const FRAMES_A_SECOND = 5_000
/** Stretches of either, in turns. */
const STRETCHES = 4
const STRETCH_MS = 5_000
/** Not counted: what is opened and compiled at first. */
const WARM_UP_MS = 2_000

/** How long the main thread keeps a timer waiting, while the engine watches, stores and publishes a busy source. */
export async function benchMainThread(directory: string): Promise<readonly Figure[]> {
  const server = spawn(process.execPath, [SERVER, String(FRAMES_A_SECOND)], {stdio: ['pipe', 'pipe', 'inherit']})
  try {
    const port = await portOf(server)
    const engine = await openEngine(join(directory, 'main-thread.db'), port)
    const delays: {ours: number[]; floor: number[]} = {ours: [], floor: []}
    const rates: number[] = []
    for (let stretch = 0; stretch < STRETCHES; stretch++) {
      delays.floor.push(await whileDropping(port))
      const {delay, rate} = await engine.whileWatching()
      delays.ours.push(delay)
      rates.push(rate)
    }
    await engine.close()
    return [
      {
        what: `p99 of the main thread's delay at ${FRAMES_A_SECOND} frames/s`,
        unit: 'ms',
        ours: median(delays.ours),
        floor: {what: 'the same stream, read and dropped', value: median(delays.floor)},
        goal: {kind: 'value', atMost: 20},
      },
      {what: 'frames that became durable meanwhile', unit: '/s', ours: median(rates)},
    ]
  } finally {
    server.kill()
  }
}

const SERVER = fileURLToPath(new URL('load-server.ts', import.meta.url))

async function portOf({stdout}: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('the server has an output')
  const [line] = await once(stdout.setEncoding('utf8'), 'data')
  return Number(line)
}

/** p99 over a stretch, in ms. A timer of 1 ms is what is measured with, so an idle thread shows a little more than 1. */
async function delayDuring(ms: number): Promise<number> {
  await wait(WARM_UP_MS)
  const histogram = monitorEventLoopDelay({resolution: 1})
  histogram.enable()
  await wait(ms)
  histogram.disable()
  return histogram.percentile(99) / 1e6
}

async function whileDropping(port: number): Promise<number> {
  const [response] = await once(get({port, host: '127.0.0.1', path: '/events'}), 'response')
  response.resume()
  const delay = await delayDuring(STRETCH_MS)
  response.destroy()
  return delay
}

interface WatchingEngine {
  readonly whileWatching: () => Promise<{readonly delay: number; readonly rate: number}>
  readonly close: Engine['close']
}

/** A screen listens as well: each batch is written out for it, as a host does. */
async function openEngine(path: string, port: number): Promise<WatchingEngine> {
  const store = await openBenchStore(path)
  const clock = systemClock()
  const engine = await createEngine({
    store,
    clock,
    tokens: {get: async () => 'bench-token', set: async () => {}, delete: async () => {}, describe: 'in a bench'},
    openTransport: (target) => httpTransport(target, {clock}),
    probeHealth: async () => ({kind: 'bridge'}),
    shell: {mode: 'host', version: '0', profile: path},
  })
  engine.subscribe((batch) => JSON.stringify({changes: batch}))
  const url = `http://127.0.0.1:${port}`
  const settings = {kind: 'switch', url, agentId: 'bench', watchAs: 'own', startFrom: 'retained'} as const
  const {source} = await engine.handlers['sources.add']({name: 'bench', settings, token: 'bench-token'})
  const stored = async (): Promise<number> => (await store.read.size()).storedFrames
  return {
    async whileWatching() {
      await engine.handlers['sources.resume']({source})
      const [before, begun] = [await stored(), performance.now()]
      const delay = await delayDuring(STRETCH_MS)
      const rate = ((await stored()) - before) / ((performance.now() - begun) / 1_000)
      await engine.handlers['sources.pause']({source})
      return {delay, rate}
    },
    close: engine.close,
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
