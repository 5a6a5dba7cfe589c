import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import type {SourceView} from '../../shared/contract/rows.ts'
import {createDemoPort} from '../demo/port.ts'
import type {Clock} from './clock.ts'
import {createEngine, type Engine} from './engine.ts'
import {outsideWorld} from './outside-world.ts'
import {serve} from './serve.ts'
import {createMemoryStore} from './store/memory-store.ts'
import type {Store} from './store/store.ts'
import {createFastClock} from './testing/fast-clock.ts'
import {leftOpen, temporaryFolder} from './testing/temporary-folder.ts'
import {until} from './testing/until.ts'

interface Running {
  readonly engine: Engine
  readonly views: () => Promise<readonly SourceView[]>
  readonly close: () => Promise<void>
}

interface Profile {
  readonly folder: string
  readonly store: Store
  readonly clock: Clock
}

function emptyProfile(speed = 20): Profile {
  return {folder: temporaryFolder(), store: leftOpen(createMemoryStore()), clock: createFastClock(speed)}
}

/** An engine with the whole demo, on a profile that outlives it. */
async function run({folder, store, clock}: Profile): Promise<Running> {
  const {prime, ...outside} = outsideWorld(clock)
  const engine = await createEngine({
    store,
    clock,
    tokens: {get: async () => undefined, set: async () => {}, delete: async () => {}, describe: 'in a test'},
    ...outside,
    prime: {transport: prime.transport, sockets: {load: async () => [], save: async () => {}}},
    demo: createDemoPort(clock, {snapshots: folder, sockets: folder}),
    shell: {version: '0', mode: 'host', profile: 'test'},
  })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= engine.close())
  onTestFinished(close)
  return {engine, views: () => engine.handlers['sources.list']({}), close}
}

async function viewOf({views}: Running, source: string): Promise<SourceView> {
  const found = (await views()).find(({id}) => id === source)
  if (found === undefined) throw new Error('the source is gone')
  return found
}

function numbers({position}: SourceView): readonly number[] {
  return position.map(([, value]) => value)
}

test('each of the demo’s servers is one click, and a second click shows the same source', async () => {
  const running = await run(emptyProfile())
  for (const [which, scenario] of [
    [undefined, 'tour'],
    ['switch', 'tour'],
    ['prime', 'prime:tour'],
    ['numbered', 'numbered:gauge'],
  ] as const) {
    const asked = which === undefined ? {} : {which}
    const {source} = await running.engine.handlers['demo.start'](asked)
    await until(async () => (await viewOf(running, source)).position.length > 0, `a position of ${scenario}`)
    expect((await viewOf(running, source)).settings).toEqual({kind: 'demo', scenario})
    expect(await running.engine.handlers['demo.start'](asked)).toEqual({source})
  }
  const played = (await running.views()).filter(({settings}) => settings.kind === 'demo')
  expect(played.map(({name}) => name).sort()).toEqual(['Demo: release-bot', 'Demo: tide gauge', 'Demo: tide tables'])
})

test('the user restarts the numbered demo with its store, and the cursor goes on; without, and the source is held', async () => {
  const running = await run(emptyProfile())
  const {source} = await running.engine.handlers['demo.start']({which: 'numbered'})
  const goesOn = async (): Promise<void> => {
    const {counts} = await viewOf(running, source)
    await until(async () => (await viewOf(running, source)).counts.handled > counts.handled + 3, 'more of it')
  }
  await goesOn()
  await running.engine.handlers['demo.restart']({source, store: 'kept'})
  await goesOn()
  expect((await viewOf(running, source)).counts).toMatchObject({holes: 0, duplicate: 0, stale: 0})

  await until(async () => (numbers(await viewOf(running, source))[0] ?? 0) > 1, 'a second generation')
  await running.engine.handlers['demo.restart']({source, store: 'lost'})
  await until(async () => (await viewOf(running, source)).connection.state === 'held', 'held')
  const {connection, position} = await viewOf(running, source)
  expect(connection.because).toMatchObject({kind: 'numberingReset', first: {generation: 1, sequence: 0}})
  const {frame} = connection
  if (frame === undefined) throw new Error('held at no frame')
  await running.engine.handlers['sources.takeNumbering']({source, frame})
  await goesOn()
  expect(numbers(await viewOf(running, source))[0]).toBeLessThanOrEqual(position[0]?.[1] ?? 0)
})

test('over a restart of Tidemark the numbered demo’s cursor stays valid, and a session of the demo is found again', async () => {
  const profile = emptyProfile()
  const first = await run(profile)
  const {source: gauge} = await first.engine.handlers['demo.start']({which: 'numbered'})
  const {source: session} = await first.engine.handlers['demo.start']({which: 'prime'})
  const frames = async (running: Running, source: string): Promise<number> => {
    return (await viewOf(running, source)).counts.handled
  }
  await until(async () => (await frames(first, gauge)) > 3 && (await frames(first, session)) > 3, 'some of both')
  const {sessionId} = await viewOf(first, session)
  await first.close()

  const again = await run(profile)
  const [before, beforeSession] = [await frames(again, gauge), await frames(again, session)]
  await until(async () => (await frames(again, gauge)) > before + 3, 'the gauge goes on')
  await until(async () => (await frames(again, session)) > beforeSession + 3, 'the session goes on')
  expect((await viewOf(again, gauge)).counts).toMatchObject({holes: 0, stale: 0})
  expect((await viewOf(again, session)).sessionId).toBe(sessionId)
})

test('a session of the demo that another one replaced, and that is then back, is still one source', async () => {
  const running = await run(emptyProfile(40))
  const {source} = await running.engine.handlers['demo.start']({which: 'prime'})
  await until(async () => (await running.views()).some(({name}) => name === 'storm log'), 'the other session')
  await until(async () => (await viewOf(running, source)).connection.state === 'live', 'the first one again')
  const {settings} = await viewOf(running, source)
  expect(settings).toEqual({kind: 'demo', scenario: 'prime:tour'})
  expect(await running.views()).toHaveLength(2)
})

test('only the numbered demo can be restarted', async () => {
  const running = await run(emptyProfile())
  const {source} = await running.engine.handlers['demo.start']({})
  expect(await serve(running.engine.handlers, 'demo.restart', {source, store: 'lost'})).toMatchObject({
    ok: false,
    error: {kind: 'refused', code: 'noDemo'},
  })
})

test('a trial of a numbered stream reads its first messages, and says why where it cannot', async () => {
  const profile = emptyProfile()
  const running = await run(profile)
  const path = join(profile.folder, 'stream.jsonl')
  writeFileSync(path, '{"type":"event","cursor":{"generation":4,"sequence":0}}\n{"type":"hello"}\n')
  const tried = (at: string, cursorAt: string) =>
    running.engine.handlers['sources.test']({
      name: 'trial',
      settings: {kind: 'numbered', from: {over: 'file', path: at}, cursorAt, typeAt: 'type', future: 'fail'},
    })
  expect(await tried(path, 'cursor')).toMatchObject({
    kind: 'numbered',
    view: {kind: 'read', messages: [{cursor: {generation: 4, sequence: 0}}, {event: 'hello'}], end: 'quiet'},
  })
  const elsewhere = await tried(path, 'meta.cursor')
  expect(elsewhere).toMatchObject({view: {kind: 'read'}})
  expect(JSON.stringify(elsewhere)).not.toContain('"cursor":{"generation":4')
  expect(await tried('/nowhere/at/all.jsonl', 'cursor')).toEqual({
    kind: 'numbered',
    view: {kind: 'refused', because: {kind: 'noFile', path: '/nowhere/at/all.jsonl'}},
  })
  expect(await running.views()).toEqual([])
})
