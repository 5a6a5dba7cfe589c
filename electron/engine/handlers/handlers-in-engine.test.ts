import {afterEach, expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {type Handler, USUAL_HANDLER} from '../../../shared/handlers/handler.ts'
import type {HandlerCall} from '../../../shared/handlers/handler-input.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {FrameId} from '../../../shared/history/fact.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import {createEngine, type Engine} from '../engine.ts'
import {serve} from '../serve.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import {type Store, StoreFailure} from '../store/store.ts'
import {createScriptedTransport} from '../testing/scripted-transport.ts'
import {createVirtualClock, settle, type VirtualClock} from '../testing/virtual-clock.ts'
import {connectionState, frame, gap, message} from '../testing/wire-text.ts'
import type {TokenStore} from '../tokens.ts'
import type {HandlerEnd} from './handler-callbacks.ts'

/* The user's handlers in a whole engine, in virtual time; what a handler does is up to the test. */

const SOURCE = 'a' as SourceId

function one(more: Partial<Handler> = {}): Handler {
  return {id: 'h1', name: 'first', rule: {}, ...USUAL_HANDLER, action: {kind: 'notification'}, ...more}
}

interface Began {
  readonly handler: string
  readonly call: HandlerCall
  readonly until: AbortSignal
}

type Act = (began: Began) => HandlerEnd | Promise<HandlerEnd>

const done: HandlerEnd = {state: 'resolved'}
const failing: HandlerEnd = {state: 'rejected', error: 'no', exitCode: 1, output: 'why\n', outputBytes: 4}

const open: {readonly engine: Engine; readonly clock: VirtualClock}[] = []
afterEach(async () => {
  for (const {engine, clock} of open.splice(0)) await close(engine, clock)
})

async function close(engine: Engine, clock: VirtualClock): Promise<void> {
  const closed = engine.close()
  await clock.advance(10_000)
  await closed
}

interface World {
  readonly store: Store
  readonly lists: readonly (readonly Change[])[]
}

/** A store that lives on from one engine to the next. */
async function world(handlers: readonly Handler[]): Promise<World> {
  const store = createMemoryStore()
  const settings = {kind: 'switch', url: 'http://x', agentId: 'a', watchAs: 'own', startFrom: 'retained'} as const
  const record = {id: SOURCE, name: 'bot', settings, connectionId: 'c', addedAt: epochMs(0), paused: false}
  const source: SourceRecord = handlers.length === 0 ? record : {...record, handlers}
  await store.commit([{kind: 'sourceAdded', source}])
  const lists: (readonly Change[])[] = []
  const commit: Store['commit'] = async (changes) => {
    lists.push(changes)
    await store.commit(changes)
  }
  return {store: {...store, commit, close: async () => {}}, lists}
}

const NO_TOKENS: TokenStore = {
  get: async () => 'token',
  set: async () => {},
  delete: async () => {},
  describe: 'nowhere',
}

async function start({store}: World, act: Act = () => done, tokens: TokenStore = NO_TOKENS) {
  const clock = createVirtualClock()
  const transport = createScriptedTransport()
  const began: Began[] = []
  const engine = await createEngine({
    store,
    clock,
    tokens,
    openTransport: () => transport,
    shell: {version: '0', mode: 'host', profile: 'test'},
    handlerRunner: () => async (handler, call, until) => {
      const run = {handler: handler.id, call, until}
      began.push(run)
      return act(run)
    },
  })
  open.push({engine, clock})
  await settle()
  const view = async (): Promise<SourceView> => {
    const [only] = await engine.handlers['sources.list']({})
    if (only === undefined) throw new Error('the source is gone')
    return only
  }
  const say = async (...blocks: readonly string[]): Promise<void> => {
    transport.streams.at(-1)?.write(connectionState() + blocks.join(''))
    await clock.advance(50)
  }
  const end = async (): Promise<void> => {
    open.splice(0)
    await close(engine, clock)
  }
  return {engine, clock, transport, began, view, say, end}
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), {once: true}))
}

const order = (began: readonly Began[]) => began.map(({handler, call}) => `${handler} ${call.attempt}`)

test('handlers run in their order, one after another, before the position moves', async () => {
  const first = Promise.withResolvers<HandlerEnd>()
  const {began, view, say} = await start(await world([one(), one({id: 'h2'})]), ({handler}) =>
    handler === 'h1' ? first.promise : done,
  )
  await say(message({s: 5}))
  expect(order(began)).toEqual(['h1 1'])
  expect(await view()).toMatchObject({position: [], openAttempt: {state: 'pending', n: 1}})
  first.resolve(done)
  await settle()
  expect(order(began)).toEqual(['h1 1', 'h2 1'])
  expect(await view()).toMatchObject({position: [['s', 5]], counts: {handled: 1}})
})

test('a gap’s handlers run while the old position is in force, and it is replaced after them', async () => {
  const held = Promise.withResolvers<HandlerEnd>()
  const {began, view, say} = await start(await world([one()]), ({call}) =>
    call.callback === 'onGap' ? held.promise : done,
  )
  await say(message({s: 18, 'r:a': 4}), gap({resumed_at: 2, resumed_position: {s: 2}}))
  expect(began.map(({call}) => [call.callback, call.outcome])).toEqual([
    ['onEvent', 'handled'],
    ['onGap', 'replaced'],
  ])
  expect((await view()).position).toEqual([
    ['s', 18],
    ['r:a', 4],
  ])
  held.resolve(done)
  await settle()
  expect((await view()).position).toEqual([['s', 2]])
})

test('frames that no rule chooses have no attempt, and are handled where they are journaled', async () => {
  const w = await world([one({rule: {events: ['command']}})])
  const {began, view, say, engine} = await start(w)
  await say(message({s: 5}), message({s: 6}))
  expect(began).toEqual([])
  expect(await view()).toMatchObject({position: [['s', 6]], counts: {handled: 2}})
  const {frames} = await engine.handlers['frames.page']({filter: {}, limit: 10})
  const details = await Promise.all(frames.map(({id}) => engine.handlers['frames.detail']({frame: id})))
  expect(details.flatMap(({attempts}) => attempts)).toEqual([])
})

test('without handlers a run of frames shares one commit, as ever', async () => {
  const w = await world([])
  const {say, view} = await start(w)
  await say(message({s: 5}), message({s: 6}), message({s: 7}))
  expect((await view()).position).toEqual([['s', 7]])
  const journaling = w.lists.filter((list) => list.some(({kind}) => kind === 'frameJournaled'))
  expect(journaling).toHaveLength(1)
})

test('an unknown frame is discarded after the handlers that asked for it, and only then', async () => {
  const {began, view, say} = await start(await world([one({rule: {outcomes: ['discarded']}})]))
  await say(frame('presence', {position: {s: 3}}), message({s: 4}))
  expect(began.map(({call}) => [call.frame.event, call.outcome, call.attempt])).toEqual([['presence', 'discarded', 1]])
  expect(await view()).toMatchObject({position: [['s', 4]], counts: {discarded: 1, handled: 1}})
})

test('a frame is tried as often as its handler says, with its pauses, then the source is held', async () => {
  const {began, clock, view, say, transport} = await start(
    await world([one({attempts: 4, backoffMs: 8_000})]),
    () => failing,
  )
  const tries: number[] = []
  for (let n = 0; n < 4; n++) {
    await say(message({s: 5}))
    tries.push(clock.monotonic())
    if (n < 3) await clock.advance(transport.streams.at(-1)?.ended() === true ? (clock.untilNext() ?? 0) : 0)
  }
  expect(order(began)).toEqual(['h1 1', 'h1 2', 'h1 3', 'h1 4'])
  const pauses = tries.slice(1).map((at, n) => Math.round((at - (tries[n] ?? 0)) / 1_000))
  expect(pauses).toEqual([6, 12, 23]) // three quarters of 8, 16 and 30 s
  const {connection} = await view()
  expect(connection.state).toBe('held')
})

test('what failed, how and with which output is kept with the attempt', async () => {
  const {engine, say, clock} = await start(await world([one(), one({id: 'h2', name: 'second'})]), ({handler}) =>
    handler === 'h1' ? done : failing,
  )
  await say(message({s: 5}))
  await clock.advance(1)
  const {frames} = await engine.handlers['frames.page']({filter: {}, limit: 1})
  const detail = await engine.handlers['frames.detail']({frame: frames[0]?.id ?? 0})
  expect(detail.attempts).toMatchObject([
    {
      state: 'rejected',
      error: 'second: no',
      runs: [
        {handler: 'h1', name: 'first', kind: 'notification', state: 'resolved', durationMs: 0},
        {handler: 'h2', state: 'rejected', exitCode: 1, error: 'no', output: 'why\n', outputBytes: 4},
      ],
    },
  ])
})

test('a run that takes too long is told so by its signal, and the attempt is timed out', async () => {
  const {engine, clock, say} = await start(await world([one({deadlineMs: 2_000})]), async ({until}) => {
    await aborted(until)
    return {state: until.reason === 'deadline' ? 'timedOut' : 'aborted', error: 'late'}
  })
  await say(message({s: 5}))
  await clock.advance(2_000)
  const {frames} = await engine.handlers['frames.page']({filter: {}, limit: 1})
  const detail = await engine.handlers['frames.detail']({frame: frames[0]?.id ?? 0})
  expect(detail).toMatchObject({
    frame: {outcome: 'rejected'},
    attempts: [{state: 'timedOut', error: 'first: late', runs: [{state: 'timedOut', durationMs: 2_000}]}],
  })
})

test('cut off by the end of the engine, it is aborted, comes again first, and does not count as a failure', async () => {
  const w = await world([one({attempts: 2})])
  for (let life = 1; life <= 3; life++) {
    const {began, say, end} = await start(w, async ({until}) => {
      await aborted(until)
      return {state: 'aborted', error: 'closed'}
    })
    if (life === 1) await say(message({s: 5}))
    expect(order(began)).toEqual([`h1 ${life}`])
    await end()
  }
  const {began, view, engine, clock} = await start(w, () => failing)
  await settle()
  expect(order(began)).toEqual(['h1 4'])
  expect((await view()).connection.state).toBe('waiting') // one failure of two: it is not held yet
  const {frames} = await engine.handlers['frames.page']({filter: {}, limit: 1})
  const detail = await engine.handlers['frames.detail']({frame: frames[0]?.id ?? 0})
  expect(detail.attempts.map(({state}) => state)).toEqual(['aborted', 'aborted', 'aborted', 'rejected'])
  await clock.advance(10)
})

test('how often a handler may fail is known after a restart too', async () => {
  const w = await world([one({attempts: 5, backoffMs: 0})])
  const before = await start(w, () => failing)
  for (let n = 0; n < 4; n++) await before.say(message({s: 5}))
  expect(order(before.began)).toHaveLength(4)
  await before.end()
  const {began, view} = await start(w, () => failing)
  await settle()
  expect(order(began)).toEqual(['h1 5'])
  expect((await view()).connection.state).toBe('held')
})

test('held, a frame is run again or skipped only on the user’s word, and a skip is a cause of its own', async () => {
  let end = failing
  const w = await world([one({attempts: 1})])
  const {began, view, engine, say, clock} = await start(w, () => end)
  await say(message({s: 5}))
  await clock.advance(60_000)
  const {connection} = await view()
  expect([connection.state, order(began)]).toEqual(['held', ['h1 1']])
  await engine.handlers['sources.retry']({source: SOURCE})
  await clock.advance(100)
  expect([(await view()).connection.state, order(began)]).toEqual(['held', ['h1 1', 'h1 2']])
  end = done
  await engine.handlers['sources.skip']({source: SOURCE, frame: connection.frame ?? 0, reason: 'known'})
  await clock.advance(100)
  expect(await view()).toMatchObject({position: [['s', 5]], counts: {skipped: 1}})
  const detail = await engine.handlers['frames.detail']({frame: connection.frame ?? 0})
  expect(detail).toMatchObject({frame: {outcome: 'skipped', cause: 'skipped'}, skipReason: 'known'})
  expect(order(began)).toHaveLength(2)
})

test('held and paused, it goes on neither by a retry nor by a skip: first it is resumed, and then it is still held', async () => {
  const w = await world([one({attempts: 1})])
  const {began, view, engine, say, clock} = await start(w, () => failing)
  await say(message({s: 5}))
  await clock.advance(60_000)
  await engine.handlers['sources.pause']({source: SOURCE})
  const {connection, rejectedOpen} = await view()
  expect([connection.state, rejectedOpen]).toEqual(['held', 1])
  const skip = {source: SOURCE, frame: connection.frame ?? 0, reason: 'known'}
  const refused = {error: {kind: 'refused', code: 'paused'}}
  await expect(serve(engine.handlers, 'sources.retry', {source: SOURCE})).resolves.toMatchObject(refused)
  await expect(serve(engine.handlers, 'sources.skip', skip)).resolves.toMatchObject(refused)
  await clock.advance(60_000)
  expect(order(began)).toEqual(['h1 1'])
  await engine.handlers['sources.resume']({source: SOURCE})
  await clock.advance(60_000)
  expect([(await view()).connection.state, order(began)]).toEqual(['held', ['h1 1']])
  await engine.handlers['sources.skip'](skip)
  await clock.advance(100)
  expect(await view()).toMatchObject({paused: false, rejectedOpen: 0, counts: {skipped: 1}})
})

test('the key is the same for every attempt on a frame, over restarts, and for no other frame', async () => {
  const w = await world([one({attempts: 9, backoffMs: 0})])
  let end = failing
  const first = await start(w, () => end)
  await first.say(message({s: 5}))
  await first.say(message({s: 5})) // the server sends it again
  await first.end()
  end = done
  const second = await start(w, () => end)
  await second.say(message({s: 6}), gap({resumed_at: 4, resumed_position: {s: 4}}), message({s: 5}), message({s: 6}))
  const keys = [...first.began, ...second.began].map(({call}) => call.key)
  expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]])
  expect(keys[0]).toMatch(/^a\/0\/s\/5\/[0-9a-f]{16}$/)
  expect(new Set(keys).size).toBe(5) // 5, 6, the gap, and 5 and 6 of the numbers that began anew
})

test('a list that is set is in force for the next frame, without cutting off what runs', async () => {
  const held = Promise.withResolvers<HandlerEnd>()
  const {began, engine, say, transport, view} = await start(await world([one()]), ({handler}) =>
    handler === 'h1' ? held.promise : done,
  )
  await say(message({s: 5}), message({s: 6}))
  await engine.handlers['handlers.set']({source: SOURCE, handlers: [one({id: 'h2'})], secrets: []})
  expect(began[0]?.until.aborted).toBe(false)
  held.resolve(done)
  await settle()
  expect(order(began)).toEqual(['h1 1', 'h2 1'])
  expect(transport.streams).toHaveLength(1)
  expect((await view()).handlers.map(({id}) => id)).toEqual(['h2'])
})

test('the first handler of a source has it read frame by frame from then on; the last one that goes, together again', async () => {
  const w = await world([])
  const {began, engine, say} = await start(w)
  await say(message({s: 5}))
  await engine.handlers['handlers.set']({source: SOURCE, handlers: [one()], secrets: []})
  await settle()
  await say(message({s: 6}))
  expect(order(began)).toEqual(['h1 1'])
  await engine.handlers['handlers.set']({source: SOURCE, handlers: [], secrets: []})
  await settle()
  await say(message({s: 7}))
  expect(order(began)).toEqual(['h1 1'])
})

test('an unknown frame that a handler asked for and failed on comes again as the next attempt, wherever it comes from', async () => {
  const w = await world([one({attempts: 9, backoffMs: 0, rule: {outcomes: ['discarded']}})])
  const unknown = frame('presence', {position: {s: 3}})
  const first = await start(w, () => failing)
  await first.say(unknown)
  await first.say(unknown) // the server sends it again
  await first.end()
  let end = failing
  const second = await start(w, () => end)
  await settle()
  end = done
  await second.clock.advance(10)
  await second.say() // it does not send it, so that the journal brings it
  await second.clock.advance(4_000)
  await second.say(unknown) // and again, although the journal brought it
  expect(order([...first.began, ...second.began])).toEqual(['h1 1', 'h1 2', 'h1 3', 'h1 4', 'h1 5'])
  expect(new Set([...first.began, ...second.began].map(({call}) => call.key)).size).toBe(1)
})

test('what runs when its source is paused or removed is given up, and the frame is still to be handled', async () => {
  for (const leave of ['sources.pause', 'sources.remove'] as const) {
    const w = await world([one()])
    const {engine, began, say, clock} = await start(w, async ({until}) => {
      await aborted(until)
      return {state: 'aborted', error: String(until.reason)}
    })
    await say(message({s: 5}))
    const left = engine.handlers[leave]({source: SOURCE})
    await clock.advance(10)
    await left
    expect(began[0]?.until.aborted).toBe(true)
    const ended = w.lists.flat().flatMap((change) => (change.kind === 'attemptEnded' ? [change.attempt.state] : []))
    expect(ended).toEqual(['aborted'])
    expect(w.lists.flat().some(({kind}) => kind === 'cursorMoved')).toBe(false)
  }
})

test('a secret is not handed to what takes the place of its handler, and is given to nobody else', async () => {
  const w = await world([])
  const kept = new Map<string, string>()
  const {engine} = await start(w, () => done, {
    get: async (name) => kept.get(name),
    set: async (name, secret) => void kept.set(name, secret),
    delete: async (name) => void kept.delete(name),
    describe: 'in memory',
  })
  const set = (action: Handler['action'], secrets: [string, string][] = []) =>
    engine.handlers['handlers.set']({source: SOURCE, handlers: [one({action})], secrets})
  const webhook = {kind: 'webhook', url: 'https://a.b/c'} as const
  await set(webhook, [['h1', 'the key']])
  await set({...webhook, url: 'https://a.b/d'})
  expect(kept.get('a handler h1')).toBe('the key')
  await set({kind: 'command', argv: ['x'], env: [], hasSecret: true})
  expect(kept.has('a handler h1')).toBe(false)
  expect((await engine.handlers['sources.list']({}))[0]?.handlers).toMatchObject([{action: {hasSecret: false}}])
  await expect(set(webhook, [['h2', 'the key']])).rejects.toMatchObject({error: {code: 'noSuchHandler'}})
})

test('a handler is tried on a past frame for real, and nothing moves or is recorded', async () => {
  const w = await world([])
  const {began, engine, say, view} = await start(w)
  await say(message({s: 5}))
  const before = w.lists.length
  const {frames} = await engine.handlers['frames.page']({filter: {}, limit: 1})
  const frame = frames[0]?.id as FrameId
  const run = await engine.handlers['handlers.test']({source: SOURCE, handler: one({rule: {rooms: ['x']}}), frame})
  expect(run).toMatchObject({handler: 'h1', state: 'resolved'})
  expect(began[0]?.call).toMatchObject({isTest: true, attempt: 1, place: {lane: 's', sequence: 5}, outcome: 'handled'})
  expect(began[0]?.call.key).toMatch(/^test\//)
  expect(w.lists).toHaveLength(before)
  expect((await view()).position).toEqual([['s', 5]])
  const attempts = (await engine.handlers['frames.detail']({frame})).attempts
  expect(attempts).toEqual([])
})

test('of two lists set in a hurry the second one runs, also where the first was empty', async () => {
  const w = await world([one()])
  let changed = 0
  const commit: Store['commit'] = async (changes) => {
    if (changes.some(({kind}) => kind === 'sourceChanged')) changed += 1
    if (changed === 2) await settle() // so that the first list is in force before the second
    await w.store.commit(changes)
  }
  const {began, engine, say} = await start({...w, store: {...w.store, commit}})
  const set = engine.handlers['handlers.set']
  const lists = [[], [one({id: 'h2'})]]
  await Promise.all(lists.map((handlers) => set({source: SOURCE, handlers, secrets: []})))
  await settle()
  await say(message({s: 5}))
  expect(order(began)).toEqual(['h2 1'])
})

test('two changes of one source that are asked for at once both stand', async () => {
  const w = await world([])
  const {engine, end} = await start(w)
  const named = engine.handlers['sources.rename']({source: SOURCE, name: 'another'})
  await Promise.all([named, engine.handlers['sources.pause']({source: SOURCE})])
  await end()
  expect(await (await start(w)).view()).toMatchObject({name: 'another', paused: true})
})

test('an attempt whose end the disk refused is ended, also where nothing runs for its frame any more', async () => {
  const w = await world([one()])
  let refuses = true
  const commit: Store['commit'] = async (changes) => {
    const ends = changes.some(({kind}) => kind === 'attemptEnded')
    if (ends && refuses) throw new StoreFailure({kind: 'full', detail: 'no room'})
    await w.store.commit(changes)
  }
  const {engine, clock, view, say} = await start({...w, store: {...w.store, commit}})
  await say(message({s: 5}))
  await engine.handlers['handlers.set']({source: SOURCE, handlers: [one({rule: {events: ['command']}})], secrets: []})
  refuses = false
  await clock.advance(60_000)
  const now = await view()
  expect(now.position).toEqual([['s', 5]])
  expect(now.openAttempt).toBeUndefined()
})

test('a source is not held again over a frame whose skip was kept by a process that ended with it', async () => {
  const w = await world([one({attempts: 1})])
  const {view, say, end} = await start(w, () => failing)
  await say(message({s: 5}))
  const {connection} = await view()
  expect(connection.state).toBe('held')
  await end()
  const frame = connection.frame as FrameId
  await w.store.commit([{kind: 'frameSettled', frame, source: SOURCE, outcome: 'skipped', attempt: 1, at: epochMs(1)}])
  expect((await (await start(w)).view()).connection.state).not.toBe('held')
})

test('a failure that the disk did not record counts all the same, also over a run that was cut off: only the user’s word runs it again', async () => {
  const w = await world([one({attempts: 1})])
  let refuses = true
  const commit: Store['commit'] = async (changes) => {
    const fails = changes.some((change) => change.kind === 'attemptEnded' && change.attempt.state === 'rejected')
    if (fails && refuses) throw new StoreFailure({kind: 'full', detail: 'no room'})
    await w.store.commit(changes)
  }
  const {engine, began, clock, view, say} = await start({...w, store: {...w.store, commit}}, async ({call, until}) => {
    if (call.attempt === 1) return failing
    await aborted(until)
    return {state: 'aborted', error: 'paused'}
  })
  await say(message({s: 5}))
  refuses = false
  await clock.advance(60_000)
  expect((await view()).connection).toMatchObject({state: 'held', because: {kind: 'rejected'}})
  expect(order(began)).toEqual(['h1 1'])
  await engine.handlers['sources.retry']({source: SOURCE})
  await clock.advance(60_000)
  expect(order(began)).toEqual(['h1 1', 'h1 2'])
  const paused = engine.handlers['sources.pause']({source: SOURCE})
  await clock.advance(10)
  await paused
  await engine.handlers['sources.resume']({source: SOURCE})
  await clock.advance(60_000)
  expect((await view()).connection.state).toBe('held')
  expect(order(began)).toEqual(['h1 1', 'h1 2'])
})
