import {expect, test} from 'vitest'
import {createClient} from '../../shared/contract/client.ts'
import {createActions} from './actions.ts'
import {receiveAttempts} from './attempts-slice.ts'
import {receiveGaps} from './gaps-slice.ts'
import {receiveSources} from './sources-slice.ts'
import {createAppStore} from './store.ts'
import {attempt, frame, gap, view} from './testing/rows.ts'
import {watchSelection} from './watch-selection.ts'

type Answers = {readonly [channel: string]: (input: never) => unknown}

/** An engine that answers from a table; what is asked is written down. */
function screenWith(answers: Answers) {
  const store = createAppStore()
  const asked: Array<{readonly channel: string; readonly input: unknown}> = []
  const client = createClient({
    request: async (channel, input) => {
      asked.push({channel, input})
      const answer = answers[channel]
      if (answer === undefined) throw new Error('no answer')
      return {ok: true, value: await answer(input as never)} // each answer of a test knows the input it is for
    },
    subscribe: () => () => undefined,
  })
  const actions = createActions({store, client, localNow: () => 500, clockOf: () => () => 0})
  watchSelection(store, actions)
  return {store, actions, asked}
}

/** An answer that comes when the test says so. */
function later() {
  let resolve: (value: unknown) => void = () => undefined
  const promise = new Promise<unknown>((answer) => {
    resolve = answer
  })
  return {promise, resolve}
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

const info = {
  version: '0.1.0',
  mode: 'host',
  profile: '/p',
  tokenStorage: '',
  demoAvailable: true,
  now: 800,
  storeBytes: 1,
  storedFrames: 2,
}

test('a reload asks for everything that is on screen', async () => {
  const {store, actions} = screenWith({
    'app.info': () => info,
    'sources.list': () => [view()],
    'frames.page': () => ({frames: [frame({id: 7})]}),
    'gaps.list': () => ({gaps: [gap()]}),
  })
  await actions.reload()
  const state = store.getState()
  expect(state.sources.size).toBe(1)
  expect(state.list.rows).toHaveLength(1)
  expect(state.gaps.size).toBe(1)
  expect(state).toMatchObject({problem: undefined, clockOffset: 300, sourcesKnown: true})
})

test('an engine that does not answer is a problem in words, and nothing is claimed to be empty', async () => {
  const {store, actions} = screenWith({})
  await actions.reload()
  expect(store.getState()).toMatchObject({
    sourcesKnown: false,
    gapsKnown: false,
    problem: {kind: 'unreachable'},
    listStatus: {kind: 'failed'},
  })
})

test('scope and search together are the filter of the list', async () => {
  const {store, asked} = screenWith({'frames.page': () => ({frames: []})})
  store.getState().selectSource('a')
  store.getState().setQuery('outcome:rejected ping')
  await settled()
  expect(asked.at(-1)?.input).toMatchObject({filter: {source: 'a', outcomes: ['rejected'], texts: ['ping']}})
})

test('an answer to an older question does not overwrite the newer one', async () => {
  const late: Array<(page: unknown) => void> = []
  const {store} = screenWith({'frames.page': () => new Promise((resolve) => late.push(resolve))})
  store.getState().setQuery('first')
  store.getState().setQuery('second')
  await settled()
  late[1]?.({frames: [frame({id: 2})]})
  late[0]?.({frames: [frame({id: 1})]})
  await settled()
  expect(store.getState().list.rows.map(({id}) => id)).toEqual([2])
})

test('choosing a frame asks for its detail, and again when its outcome changed', async () => {
  const detail = {bytes: '', bytesTotal: 0, withheld: false, cuts: [], attempts: [], steps: []}
  const outcomes = ['pending', 'handled'] as const
  let times = 0
  const {store, asked} = screenWith({
    'frames.detail': () => ({...detail, frame: frame({id: 4, outcome: outcomes[times++] ?? 'handled'})}),
  })
  store.getState().selectFrame('a', 4, 0)
  await settled()
  expect(store.getState().detail.kind).toBe('ready')
  store.getState().recent.put(frame({id: 4, outcome: 'handled'}))
  store.setState({recentVersion: 1})
  await settled()
  expect(asked.map(({channel}) => channel)).toEqual(['frames.detail', 'frames.detail'])
})

test('older rows are asked for once at a time', async () => {
  const {store, actions, asked} = screenWith({'frames.page': () => ({frames: [frame({id: 1})]})})
  store.getState().showPage({frames: [frame({id: 5})], next: 5})
  await Promise.all([actions.loadOlder(), actions.loadOlder()])
  expect(asked).toHaveLength(1)
  expect(store.getState().list.rows.map(({id}) => id)).toEqual([1, 5])
  expect(store.getState().listOlder).toBeUndefined()
})

const reloadAnswers = {
  'app.info': () => info,
  'sources.list': () => [],
  'gaps.list': () => ({gaps: []}),
  'holes.list': () => ({holes: []}),
  'prime.daemons': () => ({daemons: []}),
}

test('a reload leaves a frozen list where its reader stands, and brings its rows up to date', async () => {
  const {store, actions, asked} = screenWith({
    ...reloadAnswers,
    'frames.page': () => ({frames: [frame({id: 9}), frame({id: 5}), frame({id: 4})], next: 4}),
  })
  store.getState().showPage({frames: [frame({id: 5, outcome: 'pending'}), frame({id: 4})], next: 4})
  store.getState().freezeList()
  await actions.reload()
  const {list, listBroken, listFrozen} = store.getState()
  expect(list.rows.map(({id, outcome}) => [id, outcome])).toEqual([
    [4, 'handled'],
    [5, 'handled'],
  ])
  expect([listBroken, listFrozen]).toEqual([true, true])
  expect(asked.filter(({channel}) => channel === 'frames.page').map(({input}) => input)).toEqual([
    {filter: {}, before: 6, limit: 500},
  ])
})

test('rows of a filter by outcome are asked for without it: they may have another one now', async () => {
  const {store, actions, asked} = screenWith({...reloadAnswers, 'frames.page': () => ({frames: []})})
  store.getState().setFilter({source: 'a', outcomes: ['pending']})
  store.getState().showPage({frames: [frame({id: 5, outcome: 'pending'})]})
  store.getState().freezeList()
  await actions.reload()
  expect(asked.find(({channel}) => channel === 'frames.page')?.input).toMatchObject({filter: {source: 'a'}, before: 6})
  expect(JSON.stringify(asked)).not.toContain('outcomes')
})

test('a reader who stood still while a reload was on its way is not moved by its page', async () => {
  const late = later()
  const {store, actions} = screenWith({...reloadAnswers, 'frames.page': () => late.promise})
  store.getState().showPage({frames: [frame({id: 4, outcome: 'pending'})]})
  const reloaded = actions.reload()
  store.getState().freezeList()
  late.resolve({frames: [frame({id: 9}), frame({id: 4})]})
  await reloaded
  expect(store.getState().list.rows.map(({id, outcome}) => [id, outcome])).toEqual([[4, 'handled']])
  expect(store.getState().listBroken).toBe(true)
})

test('what a batch said while a question was on its way is not overwritten by the older answer', async () => {
  const late = later()
  const {store, actions} = screenWith({
    ...reloadAnswers,
    'frames.page': () => ({frames: []}),
    'sources.list': () => late.promise,
    'gaps.list': async () => {
      await late.promise
      return {gaps: [gap({frame: 1, outcome: 'pending'}), gap({frame: 2, outcome: 'replaced'})]}
    },
  })
  store.getState().showGaps([gap({frame: 1, outcome: 'pending'}), gap({frame: 2, outcome: 'pending'})], undefined)
  store.getState().listSources([view({id: 'a'}), view({id: 'gone'})])
  const reloaded = actions.reload()
  const state = store.getState()
  store.setState({
    gaps: receiveGaps(state.gaps, [gap({frame: 1, outcome: 'replaced'})]),
    sources: receiveSources(state.sources, [view({id: 'a', name: 'newer'}), view({id: 'added'})], ['gone']),
  })
  late.resolve([view({id: 'a', name: 'older'}), view({id: 'gone'}), view({id: 'b'})])
  await reloaded
  const {gaps, sources} = store.getState()
  expect([...gaps.values()].map(({frame, outcome}) => [frame, outcome])).toEqual([
    [1, 'replaced'],
    [2, 'replaced'],
  ])
  expect([...sources.values()].map(({id, name}) => [id, name])).toEqual([
    ['a', 'newer'],
    ['b', 'b'],
    ['added', 'added'],
  ])
})

test('a run that came live is not overwritten by an answer about it', () => {
  const {store} = screenWith({})
  store.setState(receiveAttempts(store.getState(), [attempt({state: 'resolved'})]))
  store.getState().addAttempts([attempt({state: 'pending'}), attempt({n: 2, state: 'pending'})])
  expect(store.getState().attempts.rows.map(({n, state}) => [n, state])).toEqual([
    [1, 'resolved'],
    [2, 'pending'],
  ])
})

test('to stand still freezes the list, to go on takes in what waited', () => {
  const {store, actions} = screenWith({})
  actions.setLive(false)
  expect(store.getState()).toMatchObject({live: false, listFrozen: true})
  store.setState({listWaiting: 3})
  actions.setLive(true)
  expect(store.getState()).toMatchObject({live: true, listFrozen: false, listWaiting: 0})
})
