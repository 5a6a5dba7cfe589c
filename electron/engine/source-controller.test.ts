import {afterEach, expect, test} from 'vitest'
import {epochMs} from '../../shared/base/units.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId} from '../../shared/history/fact.ts'
import type {SourceId, SourceRecord} from '../../shared/source/source.ts'
import {freshRun} from './load-run.ts'
import {createSourceController, type SourceController} from './source-controller.ts'
import type {SourceRun} from './source-run.ts'
import {watchSwitch} from './switch/watch-switch.ts'
import {createScriptedTransport} from './testing/scripted-transport.ts'
import {createVirtualClock, settle, type VirtualClock} from './testing/virtual-clock.ts'
import {connectionState, message} from './testing/wire-text.ts'

const open: {readonly controller: SourceController; readonly clock: VirtualClock; readonly disk: SlowDisk}[] = []
afterEach(async () => {
  for (const {controller, clock, disk} of open.splice(0)) {
    disk.letGo()
    const closed = controller.close('closedWithApp')
    await clock.advance(10_000)
    await closed
  }
})

test('a frame that is skipped twice in a hurry is skipped once', async () => {
  const {controller, disk, moves} = await heldSource()
  disk.hold()
  const skips = [controller.skip('the first click'), controller.skip('the second click')]
  disk.letGo()
  await Promise.all(skips)
  expect(moves()).toEqual(['skipped: the first click'])
})

test('a retry that comes while the frame is being skipped runs no callback on it', async () => {
  const {controller, clock, disk, moves, runs} = await heldSource()
  disk.hold()
  const skipped = controller.skip('not needed')
  controller.start()
  await settle()
  expect(runs()).toBe(3)
  disk.letGo()
  await skipped
  await clock.advance(5_000)
  expect(runs()).toBe(3)
  expect(moves()).toEqual(['skipped: not needed'])
  expect(controller.run.state.kind).toBe('live')
})

test('a second click about one held frame says nothing about the next one', async () => {
  const {controller, clock, transport, runs} = await heldSource()
  await controller.skip('not needed')
  controller.start()
  controller.start()
  await settle()
  for (let n = 0; n < 3; n++) {
    transport.streams.at(-1)?.write(connectionState() + message({s: 6}))
    await clock.advance(10_000)
  }
  expect(controller.run.state.kind).toBe('held')
  await clock.advance(60_000)
  expect([controller.run.state.kind, runs()]).toEqual(['held', 6])
})

test('a skip that comes with a retry, of a malformed frame that an earlier process left held, is kept', async () => {
  const frame = 3 as FrameId
  const {controller, clock, moves} = watch({heldBefore: {kind: 'held', because: {kind: 'malformed', frame}, frame}})
  await settle()
  expect(controller.run.state.kind).toBe('held')
  controller.start()
  await controller.skip('not needed')
  await clock.advance(1_000)
  expect(moves()).toEqual(['skipped: not needed'])
})

test('what was asked for before a source was stopped does not start it', async () => {
  const {controller, clock, disk, transport} = await heldSource()
  const streams = transport.streams.length
  disk.hold()
  const skipped = controller.skip('not needed')
  controller.start()
  const stopped = controller.stop()
  disk.letGo()
  await Promise.all([skipped, stopped])
  await clock.advance(60_000)
  expect(transport.streams).toHaveLength(streams)
})

test('what is still on its way when a source is closed does not start it again', async () => {
  const {controller, clock, transport} = watch()
  await settle()
  await controller.close('closedWithApp')
  await controller.restart()
  controller.start()
  await clock.advance(60_000)
  expect(transport.streams).toHaveLength(1)
})

/** A disk that takes lists as they come, until it is held: then nothing is durable before it is let go. */
type SlowDisk = {readonly hold: () => void; readonly letGo: () => void}

/** A source whose first frame failed three times. */
async function heldSource() {
  const source = watch()
  await settle()
  for (let n = 0; n < 3; n++) {
    source.transport.streams.at(-1)?.write(connectionState() + message({s: 5}))
    await source.clock.advance(10_000)
  }
  expect(source.controller.run.state.kind).toBe('held')
  return source
}

function watch(before: Partial<SourceRun> = {}) {
  const clock = createVirtualClock()
  const transport = createScriptedTransport()
  const changes: Change[] = []
  const gate = {open: Promise.resolve(), release: (): void => {}}
  const disk: SlowDisk = {
    hold: () => {
      gate.open = new Promise((resolve) => (gate.release = resolve))
    },
    letGo: () => gate.release(),
  }
  const calls = {count: 0}
  const fail = (): Promise<void> => {
    calls.count += 1
    return Promise.reject(new Error('no'))
  }
  const record: SourceRecord = {
    id: 'source' as SourceId,
    name: 'source',
    settings: {kind: 'switch', url: 'http://127.0.0.1', agentId: 'agent-1', watchAs: 'own', startFrom: 'retained'},
    connectionId: 'connection',
    addedAt: epochMs(0),
    paused: false,
  }
  const ids = {next: 1}
  const controller = createSourceController(
    {...freshRun(record, clock.now()), ...before},
    {
      clock,
      commit: async (more) => {
        await gate.open
        changes.push(...more)
      },
      nextFrameId: () => ids.next++ as FrameId,
      journaled: async () => undefined,
      touched: () => {},
      reach: async () => ({ok: true, value: {watch: watchSwitch(transport), callbacks: {onEvent: fail, onGap: fail}}}),
    },
  )
  controller.start()
  open.push({controller, clock, disk})
  const moves = (): string[] =>
    changes.flatMap((change) => (change.kind === 'cursorMoved' ? [`${change.move.cause}: ${change.move.reason}`] : []))
  return {controller, clock, transport, disk, moves, runs: () => calls.count}
}
