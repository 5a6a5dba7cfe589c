import {expect, test} from 'vitest'
import {createClient} from '../../shared/contract/client.ts'
import {createActions} from './actions.ts'
import {createAppStore} from './store.ts'
import {frame, gap, view} from './testing/rows.ts'
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
  const actions = createActions({store, client, localNow: () => 500, dayStart: () => 0})
  watchSelection(store, actions)
  return {store, actions, asked}
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
  store.getState().setScope('a')
  store.getState().setQuery('outcome:rejected ping')
  await settled()
  expect(asked.at(-1)?.input).toMatchObject({filter: {source: 'a', outcomes: ['rejected'], text: 'ping'}})
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
