import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, onTestFinished, test} from 'vitest'
import type {FrameRow} from '../../../shared/contract/rows.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {PrimeAction, PrimeScenario} from '../../demo/prime/scenario.ts'
import {bash, MAIN, MAIN_SESSION, turn} from '../../demo/prime/script.ts'
import {startDemoDaemon} from '../../demo/prime/server.ts'
import {connectPlainly} from '../../demo/prime/testing/plain-client.ts'
import {openSqliteStore} from '../store/sqlite-store.ts'
import {openStore, temporaryDirectory} from '../store/testing/temporary-store.ts'
import {WORKER_URL} from '../store/testing/worker-url.ts'
import {createFastClock, seededRandom} from '../testing/fast-clock.ts'
import type {DaemonChildPlan, DaemonEffect} from '../testing/kill/daemon-plan.ts'
import {until} from '../testing/until.ts'

const CHILD = fileURLToPath(new URL('../testing/kill/watch-daemon-child.ts', import.meta.url))
const DAEMON = fileURLToPath(new URL('../../demo/prime/main.ts', import.meta.url))

/** A session that works without end. */
const BUSY: PrimeScenario = {
  name: 'busy',
  about: 'turns and commands, over and over',
  sessions: [MAIN_SESSION],
  steps: [
    ...turn(200, MAIN, {ask: 'are you there?', think: 'A short question.', say: 'I am here, and so is the tide.'}),
    ...bash(100, MAIN),
  ],
  loopFrom: 0,
}

/** Of what a demo daemon can do to those who watch it. */
const BLOWS: readonly PrimeAction[] = [
  {kind: 'hangUp'},
  {kind: 'supervisor', end: 'killed', downMs: 200, helloMs: 0},
  {kind: 'cut', atByte: 33},
  {kind: 'drop', on: 'main', events: 3},
]

async function launchDaemon(socket: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [DAEMON, '--scenario', 'tour', '--socket', socket, '--for', '60'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

function launchWatcher(plan: DaemonChildPlan): ChildProcess {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(plan)], {stdio: ['pipe', 'pipe', 'inherit']})
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function sessionIdAt(socket: string): Promise<string> {
  const client = await connectPlainly(socket)
  const answer = await client.ask({type: 'list'})
  client.close()
  const text = JSON.stringify(answer)
  const [, id = ''] = /"sessionId":"([^"]+)"/.exec(text) ?? []
  return id
}

test('kill -9 of the watcher at any moment, while the daemon does its worst: no cursor passes an event that was received and not handled', async () => {
  const directory = temporaryDirectory()
  const random = seededRandom(7)
  const socketPath = join(directory, 'd.sock')
  const daemon = await startDemoDaemon({scenario: BUSY, clock: createFastClock(5), socketPath})
  onTestFinished(daemon.close)
  const {sessionId} = daemon.namesOf('main')
  const plan = planIn(directory, socketPath, sessionId)
  for (let round = 0; round < 6; round++) {
    const watcher = launchWatcher(plan)
    const told = heard(watcher)
    const enough = 5 + Math.floor(random() * 60)
    await until(
      () => told() >= enough || watcher.exitCode !== null,
      `${enough} commits`,
      () => ({round, told: told()}),
    )
    const blow = BLOWS[round % BLOWS.length]
    if (round % 2 === 1 && blow !== undefined) daemon.act(blow)
    await kill(watcher)
  }
  await daemon.close()
  await handleRest(plan)
  await expectHandled(plan)
})

test('kill -9 of the daemon: its next process is watched, under a new generation, and nothing that was received is lost', async () => {
  const directory = temporaryDirectory()
  const socket = join(directory, 'd.sock')
  const first = await launchDaemon(socket)
  const plan = planIn(directory, socket, await sessionIdAt(socket))
  const watcher = launchWatcher(plan)
  const told = heard(watcher)
  await until(() => told() >= 15, 'some commits')
  await kill(first)
  await launchDaemon(socket)
  const before = told()
  await until(() => told() >= before + 15, 'commits from the next daemon')
  await kill(watcher)
  const store = await openStore(plan.store)
  const generations = await store.read.generations('watched' as SourceId)
  expect(generations.map(({retiredAt}) => retiredAt === undefined)).toEqual([false, true])
})

function planIn(directory: string, socket: string, sessionId: string): DaemonChildPlan {
  const [store, effects] = [join(directory, 'tidemark.db'), join(directory, 'effects')]
  return {store, effects, worker: WORKER_URL.href, socket, sessionId}
}

/** How many commits of frames it told of. */
function heard(watcher: ChildProcess): () => number {
  let bytes = 0
  watcher.stdout?.on('data', (text: Buffer) => (bytes += text.length))
  return () => bytes / 2
}

/** Nobody is there to be watched: what was left is handled. */
async function handleRest(plan: DaemonChildPlan): Promise<void> {
  const last = launchWatcher(plan)
  await until(async () => (await unhandledIn(plan.store)) === 0, 'what was left to be handled')
  await kill(last)
}

async function unhandledIn(path: string): Promise<number> {
  const opened = await openSqliteStore({path, workerUrl: WORKER_URL, access: 'read'})
  if (!opened.ok) return -1
  const {sources} = await opened.value.load()
  await opened.value.close()
  return sources[0]?.unhandled.length ?? 0
}

async function expectHandled({store: path, effects}: DaemonChildPlan): Promise<void> {
  const store = await openStore(path)
  const done = new Set(
    readFileSync(effects, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as DaemonEffect)
      .map(({generation, sequence}) => `g:${generation} ${sequence}`),
  )
  const frames = await everyFrame(store)
  const events = frames.filter(({kind, outcome}) => kind === 'event' && outcome === 'handled')
  expect(events.length).toBeGreaterThan(100)
  expect(events.filter(({lane, sequence}) => !done.has(`${lane} ${sequence}`))).toEqual([])
  const generations = await store.read.generations('watched' as SourceId)
  expect(generations).toHaveLength(1)
  // Of each generation every number is an event that was handled, or stands in a hole or a baseline.
  const {holes} = await store.read.holes('watched' as SourceId, undefined, 1_000)
  const unseen = new Set(holes.flatMap(({lane, upTo, missing}) => numbers(lane, upTo, missing)))
  for (const {lane, firstSequence, lastSequence = 0} of generations)
    for (let n = firstSequence ?? lastSequence + 1; n <= lastSequence; n++)
      expect([`${lane} ${n}`, done.has(`${lane} ${n}`) || unseen.has(`${lane} ${n}`)]).toEqual([`${lane} ${n}`, true])
}

function numbers(lane: string, upTo: number, missing: number): readonly string[] {
  return Array.from({length: missing + 1}, (_, n) => `${lane} ${upTo - n}`)
}

async function everyFrame(store: Awaited<ReturnType<typeof openStore>>): Promise<readonly FrameRow[]> {
  const frames: FrameRow[] = []
  let before: Parameters<typeof store.read.framesPage>[1]
  for (;;) {
    const page = await store.read.framesPage({}, before, 500)
    frames.push(...page.frames)
    if (page.next === undefined) return frames
    before = page.next as typeof before // the store's own word for the next page
  }
}
