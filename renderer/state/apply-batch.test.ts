import {expect, test} from 'vitest'
import {createBatchInbox} from './apply-batch.ts'
import {createAppStore} from './store.ts'
import {attempt, batch, connection, frame, gap, view} from './testing/rows.ts'

/** An inbox whose animation frame comes when the test says so. */
function inboxAt(localNow = 0) {
  const store = createAppStore()
  const due: Array<() => void> = []
  let jumps = 0
  const inbox = createBatchInbox(
    store,
    (flush) => due.push(flush),
    () => localNow,
    () => {
      jumps += 1
    },
  )
  const animationFrame = () => due.splice(0).map((flush) => flush())
  return {store, inbox, animationFrame, scheduled: () => due.length, jumps: () => jumps}
}

test('each part of a batch reaches its slice', () => {
  const {store, inbox, animationFrame} = inboxAt(900)
  inbox.receive(
    batch({
      now: 1_000,
      sources: [view({id: 'a'})],
      frames: [frame({id: 4})],
      attempts: [attempt({frame: 4})],
      gaps: [gap({frame: 4})],
      connections: [connection()],
      rate: 12,
      lagMs: 3,
    }),
  )
  animationFrame()
  const state = store.getState()
  expect([...state.sources.keys()]).toEqual(['a'])
  expect(state.recent.rows.map(({id}) => id)).toEqual([4])
  expect(state.attempts.rows).toHaveLength(1)
  expect(state.gaps.get(4)?.outcome).toBe('replaced')
  expect(state.connections.get('a')).toHaveLength(1)
  expect(state).toMatchObject({rate: 12, lagMs: 3, batchNumber: 1, clockOffset: 100, lastHeard: 1_000})
})

test('many batches between two animation frames are one change of the store', () => {
  const {store, inbox, animationFrame, scheduled} = inboxAt()
  let changes = 0
  store.subscribe(() => {
    changes += 1
  })
  for (let number = 1; number <= 30; number++) inbox.receive(batch({number, frames: [frame({id: number})]}))
  expect(scheduled()).toBe(1)
  animationFrame()
  expect(changes).toBe(1)
  expect(store.getState().recent.rows).toHaveLength(30)
  expect(store.getState().batchNumber).toBe(30)
})

test('a jump in the numbers is told once, and the first batch after a connection is none', () => {
  const {store, inbox, animationFrame, jumps} = inboxAt()
  inbox.receive(batch({number: 7}))
  animationFrame()
  expect(jumps()).toBe(0)
  inbox.receive(batch({number: 9}))
  inbox.receive(batch({number: 12}))
  animationFrame()
  expect(jumps()).toBe(1)
  store.getState().setLink({kind: 'ready'})
  inbox.receive(batch({number: 1}))
  animationFrame()
  expect(jumps()).toBe(1)
})

test('a later row of the same attempt, gap or source replaces the earlier', () => {
  const {store, inbox, animationFrame} = inboxAt()
  inbox.receive(batch({number: 1, attempts: [attempt({n: 1})], gaps: [gap({outcome: 'pending'})], sources: [view()]}))
  inbox.receive(
    batch({
      number: 2,
      attempts: [attempt({n: 1, state: 'resolved'}), attempt({n: 2})],
      gaps: [gap()],
      sources: [view({name: 'renamed'})],
    }),
  )
  animationFrame()
  const {attempts, gaps, sources} = store.getState()
  expect(attempts.rows.map(({n, state}) => [n, state])).toEqual([
    [1, 'resolved'],
    [2, 'pending'],
  ])
  expect([...gaps.values()].map(({outcome}) => outcome)).toEqual(['replaced'])
  expect(sources.get('a')?.name).toBe('renamed')
})

test('a source that was removed leaves the board, the scope and the selection', () => {
  const {store, inbox, animationFrame} = inboxAt()
  store.getState().listSources([view({id: 'a'}), view({id: 'b'})])
  store.getState().selectSource('a')
  store.getState().selectFrame('a', 3, 0)
  inbox.receive(batch({removedSources: ['a']}))
  animationFrame()
  const state = store.getState()
  expect([...state.sources.keys()]).toEqual(['b'])
  expect([state.scope, state.selectedSource, state.selectedFrame]).toEqual([undefined, undefined, undefined])
})

test('connection states are appended, never replaced', () => {
  const {store, inbox, animationFrame} = inboxAt()
  inbox.receive(batch({connections: [connection({state: 'connecting'}), connection({state: 'live'})]}))
  animationFrame()
  expect(
    store
      .getState()
      .connections.get('a')
      ?.map(({state}) => state),
  ).toEqual(['connecting', 'live'])
})

test('what came live before a jump is forgotten, what came with and after it is not', () => {
  const {store, inbox, animationFrame} = inboxAt()
  inbox.receive(batch({number: 1, frames: [frame({id: 4, outcome: 'pending'})], attempts: [attempt({frame: 4})]}))
  animationFrame()
  inbox.receive(batch({number: 3, frames: [frame({id: 6})], attempts: [attempt({frame: 6})]}))
  inbox.receive(batch({number: 4, frames: [frame({id: 7})]}))
  animationFrame()
  const {recent, attempts, recentLost, recentEpoch} = store.getState()
  expect(recent.rows.map(({id}) => id)).toEqual([6, 7])
  expect(attempts.rows.map((row) => row.frame)).toEqual([6])
  expect([recentLost, recentEpoch]).toEqual([4, 1])
})

test('what the user said of a gap stays with it, also where the gap is told again', () => {
  const {store, inbox, animationFrame} = inboxAt()
  store.getState().showGaps([gap({frame: 4})], undefined)
  inbox.receive(batch({gapAccounts: [{frame: 4, at: 9, note: 'read in the room'}]}))
  animationFrame()
  inbox.receive(batch({number: 2, gaps: [gap({frame: 4, outcome: 'replaced'})]}))
  animationFrame()
  expect(store.getState().gaps.get(4)).toMatchObject({outcome: 'replaced', account: {at: 9, note: 'read in the room'}})
})
