import {expect, test} from 'vitest'
import {epochMs} from '../../shared/base/units.ts'
import {type Held, nothingHeld} from '../../shared/callbacks/held.ts'
import {parseCursor} from '../../shared/cursor/cursor.ts'
import {retiredGenerations} from '../../shared/cursor/retired.ts'
import {classifySwitchFrame} from '../../shared/frames/classify-switch-frame.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId} from '../../shared/history/fact.ts'
import {type Position, parsePosition} from '../../shared/position/position.ts'
import type {SourceId} from '../../shared/source/source.ts'
import {acknowledge, acknowledgeRun, type FrameDelivery} from './acknowledge.ts'
import type {Callbacks} from './callbacks.ts'
import type {Clock} from './clock.ts'
import {StoreFailure} from './store/store.ts'

const never = new AbortController().signal
const clock: Clock = {
  now: () => epochMs(1_000),
  monotonic: () => 0,
  wait: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  random: () => 0,
  uuid: () => 'id',
}
const succeed: Callbacks = {onEvent: () => Promise.resolve(), onGap: () => Promise.resolve()}
const fail: Callbacks = {onEvent: () => Promise.reject(new Error('no')), onGap: () => Promise.reject(new Error('no'))}

test('the frame and its attempt are durable before the callback begins', async () => {
  const disk = recordingDisk()
  let seen: readonly string[] = []
  const look = async (): Promise<void> => {
    seen = disk.kinds()
  }
  const looking = {...succeed, onEvent: look}
  await acknowledge(held({s: 18}), event({s: 19}), looking, disk.deps, never)
  expect(seen).toEqual(['frameJournaled', 'vectorSeen', 'attemptStarted'])
})

test('the cursor does not move while the callback is still running', async () => {
  const disk = recordingDisk()
  const callback = Promise.withResolvers<void>()
  const running = acknowledge(
    held({s: 18}),
    event({s: 19}),
    {...succeed, onEvent: () => callback.promise},
    disk.deps,
    never,
  )
  await disk.committed(1)
  expect(disk.kinds()).not.toContain('cursorMoved')
  callback.resolve()
  expect((await running).held.position).toEqual(at({s: 19}))
  expect(disk.kinds()).toContain('cursorMoved')
})

test('the move is in the transaction that records the end of the attempt', async () => {
  const disk = recordingDisk()
  await acknowledge(held({s: 18}), event({s: 19}), succeed, disk.deps, never)
  expect(disk.lists.map((list) => list.map(({kind}) => kind))).toEqual([
    ['frameJournaled', 'vectorSeen', 'attemptStarted'],
    ['attemptEnded', 'frameSettled', 'cursorMoved'],
  ])
})

test('a rejected callback leaves the position, and the vector stays seen', async () => {
  const disk = recordingDisk()
  const done = await acknowledge(held({s: 18}), event({s: 19}), fail, disk.deps, never)
  expect(done).toMatchObject({
    held: {...held({s: 18}), vectorSeen: true},
    end: {kind: 'rejected', error: 'no'},
    attempt: {n: 1, state: 'rejected', error: 'no'},
    moved: false,
  })
  expect(disk.kinds()).not.toContain('cursorMoved')
})

test('a gap is replaced only after its callback, which sees the old position', async () => {
  const disk = recordingDisk()
  const callback = Promise.withResolvers<void>()
  const gap = frame('gap', {resumed_at: 2, resumed_position: {s: 2, 'r:a': 7}})
  const before = held({s: 18, 'r:a': 43, 'r:b': 9})
  const running = acknowledge(before, gap, {...succeed, onGap: () => callback.promise}, disk.deps, never)
  await disk.committed(1)
  expect(disk.kinds()).toEqual(['frameJournaled', 'vectorSeen', 'gapRecorded', 'attemptStarted'])
  callback.resolve()
  const done = await running
  expect(done.held.position).toEqual(at({s: 2, 'r:a': 7}))
  const recorded = disk.lists[1]?.find((change) => change.kind === 'gapRecorded')
  expect(recorded).toMatchObject({
    gap: {outcome: 'replaced', cursorReset: true, wentBack: ['r:a', 's'], removed: ['r:b']},
  })
})

test('where the disk refuses the journal the callback does not run', async () => {
  const disk = recordingDisk(1)
  let ran = 0
  const count = async (): Promise<void> => {
    ran += 1
  }
  const counting = {...succeed, onEvent: count}
  const done = await acknowledge(held({s: 18}), event({s: 19}), counting, disk.deps, never)
  expect(done.end.kind).toBe('notJournaled')
  expect(ran).toBe(0)
  expect(done.held).toEqual(held({s: 18}))
})

test('where the disk refuses the record of a handled frame the position stays', async () => {
  const disk = recordingDisk(2)
  const done = await acknowledge(held({s: 18}), event({s: 19}), succeed, disk.deps, never)
  expect(done.end.kind).toBe('notSettled')
  expect(done.held.position).toEqual(at({s: 18}))
})

test('an engine that closes waits for a callback in vain no longer than the grace, and the frame stays pending', async () => {
  const disk = recordingDisk()
  const closing = new AbortController()
  const atOnce: Clock = {...clock, wait: () => Promise.resolve()}
  const forever = {...succeed, onEvent: () => new Promise<void>(() => {})}
  const running = acknowledge(held({s: 18}), event({s: 19}), forever, {...disk.deps, clock: atOnce}, closing.signal)
  await disk.committed(1)
  closing.abort()
  expect((await running).end).toEqual({kind: 'aborted'})
  expect(disk.kinds()).not.toContain('frameSettled')
})

test('what a callback did before the engine closed counts as done', async () => {
  const disk = recordingDisk()
  const closing = new AbortController()
  const callback = Promise.withResolvers<void>()
  const running = acknowledge(
    held({s: 18}),
    event({s: 19}),
    {...succeed, onEvent: () => callback.promise},
    disk.deps,
    closing.signal,
  )
  await disk.committed(1)
  closing.abort()
  callback.resolve()
  expect((await running).held.position).toEqual(at({s: 19}))
})

test('a run without callbacks is one transaction, each frame judged from where the one before it led', async () => {
  const disk = recordingDisk()
  const run = [event({s: 19}, 1), frame('gap', {resumed_at: 2, resumed_position: {s: 2}}, 2), event({s: 3}, 3)]
  const done = await acknowledgeRun(held({s: 18}), run, disk.deps)
  expect(disk.lists).toHaveLength(1)
  expect(done.held.position).toEqual(at({s: 3}))
  const gap = disk.lists[0]?.find((change) => change.kind === 'gapRecorded')
  expect(gap).toMatchObject({gap: {before: at({s: 19}), after: at({s: 2})}})
})

test('a run the disk refuses moves nothing', async () => {
  const disk = recordingDisk(1)
  const before = held({s: 18})
  expect((await acknowledgeRun(before, [event({s: 19})], disk.deps)).held).toBe(before)
})

test('a run leaves behind it the generations that ended in it', async () => {
  const run = [sequenced('a', 4), sequenced('b', 1)]
  const {held: after} = await acknowledgeRun(nothingHeld(), run, recordingDisk().deps)
  expect(retiredGenerations(after.retired)).toEqual(['a'])
  const disk = recordingDisk()
  const stale = await acknowledgeRun(after, [sequenced('a', 5)], disk.deps)
  expect(stale.moved).toBe(false)
  expect(disk.lists.flat()).toMatchObject([
    {kind: 'frameJournaled', outcome: 'stale'},
    {kind: 'generationSeen', seen: {lane: 'g:a', by: 'stale'}},
  ])
})

function sequenced(generation: string, sequence: number): FrameDelivery {
  const to = parseCursor({generation, sequence})
  if (to === undefined) throw new Error('the test made no cursor')
  const said = {
    kind: 'sequenced',
    event: 'turn_start',
    data: {},
    cursor: to,
    known: true,
    newConnection: false,
  } as const
  return {...event({s: 1}), frame: said}
}

function at(position: object): Position {
  return parsePosition(position) ?? new Map()
}

function held(position: object): Held {
  return {...nothingHeld(), position: at(position)}
}

function event(position: object, id = 1): FrameDelivery {
  return frame('message', {type: 'message', position}, id)
}

function frame(name: string, data: object, id = 1): FrameDelivery {
  const raw = {event: name, data: JSON.stringify(data), bytes: new Uint8Array(), cuts: []}
  const classified = classifySwitchFrame(raw)
  if (!classified.ok) throw new Error('the test made a malformed frame')
  const journaled = {
    id: id as FrameId,
    source: 'source' as SourceId,
    receivedAt: epochMs(0),
    kind: classified.value.kind,
    event: name,
    summary: '',
    bytes: raw.bytes,
    size: 0,
    cuts: [],
  }
  return {journaled, frame: classified.value, attempt: 1, fromJournal: false}
}

/** Keeps what was committed, in lists; refuses the n-th commit as a full disk would. */
function recordingDisk(refused?: number) {
  const lists: (readonly Change[])[] = []
  const waiting: {readonly count: number; readonly resolve: () => void}[] = []
  let commits = 0
  const commit = (changes: readonly Change[]): Promise<void> => {
    commits += 1
    if (commits === refused) return Promise.reject(new StoreFailure({kind: 'full', detail: 'no space'}))
    lists.push(changes)
    for (const {count, resolve} of waiting) if (lists.length >= count) resolve()
    return Promise.resolve()
  }
  return {
    lists,
    deps: {commit, clock},
    kinds: () => lists.flat().map(({kind}) => kind),
    committed: (count: number) =>
      new Promise<void>((resolve) => (lists.length >= count ? resolve() : waiting.push({count, resolve}))),
  }
}
