import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import type {NewSource} from '../../shared/contract/contract.ts'
import {USUAL_HANDLER} from '../../shared/handlers/handler.ts'
import {realClock} from '../demo/demo-clock.ts'
import {findScenario} from '../demo/scenarios.ts'
import {startDemoServer} from '../demo/server.ts'
import {createEngine} from './engine.ts'
import {createMemoryStore} from './store/memory-store.ts'
import {openStore, temporaryDirectory} from './store/testing/temporary-store.ts'
import {httpTransport} from './switch/http-transport.ts'
import {createFastClock} from './testing/fast-clock.ts'
import {note, rise, serve} from './testing/rising-server.ts'
import {until} from './testing/until.ts'
import {linesOf, sseOf, watchNumbered} from './testing/watch-numbered.ts'

const numbered = (from: ReturnType<typeof linesOf>, more: object = {}) =>
  ({kind: 'numbered', from, cursorAt: 'cursor', typeAt: 'type', future: 'fail', ...more}) as const

test('a numbered source whose cursor was looked for in the wrong place is told the right one, and goes on by it, also after a restart', async () => {
  const server = await serve({place: ['meta', 'cursor']})
  rise(server)
  const path = join(temporaryDirectory(), 'tidemark.db')
  const from = linesOf(server.lines)
  const watched = await watchNumbered({from, store: await openStore(path)})
  await watched.until(async () => (await watched.view()).counts.control === 6, 'messages without a cursor')
  const {engine, source} = watched
  const settings = numbered(from, {cursorAt: 'meta.cursor'})
  await engine.handlers['sources.change']({source, name: 'told right', settings})
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  expect(await watched.view()).toMatchObject({name: 'told right', settings, connection: {state: 'live'}})
  await watched.close()
  server.act(note('after'))
  const again = await watchNumbered({from, store: await openStore(path)})
  await again.until(() => again.told().includes('handled event 3:1'), 'what came behind it')
  expect(again.told()).toHaveLength(1)
  expect((await again.view()).counts).toMatchObject({handled: 7, duplicate: 0})
})

test('how it is asked to go on changes, and the cursor stays', async () => {
  const server = await serve()
  rise(server)
  const watched = await watchNumbered({from: sseOf(server.sse)})
  await watched.until(() => watched.cursor() === '3:0', 'all of it')
  const {engine, source} = watched
  const settings = numbered(sseOf(server.sse, 'header'))
  await engine.handlers['sources.change']({source, name: 'watched', settings})
  await watched.until(() => server.record().length === 2, 'another connection')
  expect(server.record()[1]?.asked).toBe('/events?future=fail {"generation":3,"sequence":0}')
  expect(watched.cursor()).toBe('3:0')
  const stops = watched.store.changes.filter(
    (one) => one.kind === 'connectionChanged' && one.connection.state.kind === 'stopped',
  )
  expect(stops).toEqual([]) // nobody paused it
})

test('another place is another stream, once something came; before that it may be put right', async () => {
  const [server, other] = [await serve(), await serve()]
  const watched = await watchNumbered({from: linesOf('/nowhere/feed.sock')})
  await watched.until(() => watched.state() === 'waiting', 'nobody there')
  const {engine, source} = watched
  const change = (from: ReturnType<typeof linesOf>) =>
    engine.handlers['sources.change']({source, name: 'watched', settings: numbered(from)})
  await change(linesOf(server.lines))
  await watched.until(() => watched.cursor() === '1:0', 'the first')
  await expect(change(linesOf(other.lines))).rejects.toMatchObject({error: {code: 'otherStream'}})
  await expect(
    engine.handlers['sources.change']({source, name: 'x', settings: {kind: 'demo', scenario: 'tour'}}),
  ).rejects.toMatchObject({error: {code: 'otherStream'}})
  expect((await watched.view()).settings).toEqual(numbered(linesOf(server.lines)))
})

test('a source that is off stays off', async () => {
  const server = await serve()
  const watched = await watchNumbered({from: linesOf(server.lines)})
  await watched.until(() => watched.cursor() === '1:0', 'the first')
  const {engine, source} = watched
  await engine.handlers['sources.pause']({source})
  await engine.handlers['sources.change']({source, name: 'w', settings: numbered(linesOf(server.lines), {typeAt: ''})})
  expect((await watched.view()).connection).toMatchObject({state: 'stopped', because: {kind: 'asked'}})
})

test('while a frame waits its settings change only so far as it is read alike; held, the source stays held', async () => {
  const server = await serve()
  const watched = await watchNumbered({from: sseOf(server.sse)})
  await watched.until(() => watched.cursor() === '1:0', 'the first')
  const {engine, source} = watched
  // This engine runs no handlers, so that each attempt of one fails.
  const handler = {...USUAL_HANDLER, id: 'h', name: 'h', rule: {}, action: {kind: 'notification'}} as const
  await engine.handlers['handlers.set']({source, handlers: [handler], secrets: []})
  server.act(note('refused'))
  await watched.until(() => watched.state() === 'held', 'the hold')
  const change = (settings: ReturnType<typeof numbered>) =>
    engine.handlers['sources.change']({source, name: 'watched', settings})
  await expect(change(numbered(sseOf(server.sse), {cursorAt: {id: 'json'}}))).rejects.toMatchObject({
    error: {code: 'framesWait'},
  })
  await change(numbered(sseOf(server.sse, 'header')))
  expect(watched.state()).toBe('held')
  await engine.handlers['handlers.set']({source, handlers: [], secrets: []})
  await engine.handlers['sources.retry']({source})
  await watched.until(() => watched.cursor() === '1:1', 'its frame')
  await watched.until(
    () => server.record().at(-1)?.asked.endsWith('{"generation":1,"sequence":1}') === true,
    'the header',
  )
})

/** An engine with a place for tokens, and one Switch source of a bridge of the demo. */
async function watchBridge() {
  const scenario = findScenario('steady') ?? expect.fail('no such scenario')
  const [bridge, moved] = await Promise.all([0, 1].map(() => startDemoServer({scenario, clock: realClock(), speed: 5})))
  if (bridge === undefined || moved === undefined) throw new Error('no bridges')
  const clock = createFastClock(1)
  const kept = new Map<string, string>()
  const sent: [url: string, token: string][] = []
  const engine = await createEngine({
    store: createMemoryStore(),
    clock,
    tokens: {
      get: async (of) => kept.get(of),
      set: async (of, token) => void kept.set(of, token),
      delete: async (of) => void kept.delete(of),
      describe: 'in a test',
    },
    openTransport: (target) => {
      sent.push([target.url, target.token])
      return httpTransport(target, {clock})
    },
    shell: {version: '0', mode: 'host', profile: 'test'},
  })
  onTestFinished(async () => {
    await engine.close()
    await Promise.all([bridge.close(), moved.close()])
  })
  const settings = (url: string) =>
    ({kind: 'switch', url, agentId: bridge.agentId, watchAs: 'own', startFrom: 'retained'}) as const
  const added: NewSource = {name: 'bot', settings: settings(bridge.url), token: bridge.token}
  const {source} = await engine.handlers['sources.add'](added)
  const view = async () => (await engine.handlers['sources.list']({}))[0] ?? expect.fail('no source')
  const live = async () => (await view()).connection.state === 'live'
  await until(live, 'the stream', view, 20_000)
  return {engine, source, bridge, moved, settings, view, live, sent, kept}
}

test('a bridge that moved is found at its new URL with the token for it; the old token is not sent there', async () => {
  const {engine, source, bridge, moved, settings, view, live, sent} = await watchBridge()
  await until(async () => (await view()).counts.handled > 2, 'events', view, 20_000)
  const change = (url: string, token?: string) =>
    engine.handlers['sources.change']({source, name: 'bot', settings: settings(url), ...(token && {token})})
  await expect(change(moved.url)).rejects.toMatchObject({error: {code: 'tokenOfAnother'}})
  await change(moved.url, moved.token)
  await until(live, 'the stream at the new URL', view, 20_000)
  expect((await view()).settings).toEqual(settings(moved.url))
  expect(sent).toEqual([
    [bridge.url, bridge.token],
    [moved.url, moved.token],
  ])
  expect((await view()).counts.handled).toBeGreaterThan(2)
})

test('a trial of changed settings uses the token that is kept, and only where it was given for', async () => {
  const {engine, source, bridge, moved, settings} = await watchBridge()
  const tried = (url: string) => engine.handlers['sources.test']({name: 'bot', settings: settings(url), of: source})
  expect(await tried(bridge.url)).toMatchObject({kind: 'reached', sameAgent: true})
  expect(await tried(moved.url)).toMatchObject({kind: 'refused'})
})
