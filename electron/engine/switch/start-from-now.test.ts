import {expect, test} from 'vitest'
import {epochMs} from '../../../shared/base/units.ts'
import type {FrameId} from '../../../shared/history/fact.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import {freshRun} from '../load-run.ts'
import {createSourceController} from '../source-controller.ts'
import {StoreFailure} from '../store/store.ts'
import {createScriptedTransport} from '../testing/scripted-transport.ts'
import {createVirtualClock, settle} from '../testing/virtual-clock.ts'
import {connectionState, frame} from '../testing/wire-text.ts'
import {watchSwitch} from './watch-switch.ts'

const record: SourceRecord = {
  id: 'source' as SourceId,
  name: 'source',
  settings: {kind: 'switch', url: 'http://127.0.0.1', agentId: 'agent-1', watchAs: 'own', startFrom: 'head'},
  connectionId: 'connection',
  addedAt: epochMs(0),
  paused: false,
}

test('what came "from now on" and was refused by the disk is asked for again, from where the first stream began', async () => {
  const clock = createVirtualClock()
  const transport = createScriptedTransport()
  const disk = {full: false}
  const controller = createSourceController(freshRun(record, clock.now()), {
    clock,
    commit: async () => {
      if (disk.full) throw new StoreFailure({kind: 'full', detail: 'no space left'})
    },
    nextFrameId: () => 1 as FrameId,
    journaled: async () => undefined,
    touched: () => {},
    reach: async () => ({ok: true, value: {watch: watchSwitch(transport)}}),
  })
  controller.start()
  await settle()
  transport.streams[0]?.write(connectionState({cursor: 41}))
  await settle()
  disk.full = true
  transport.streams[0]?.write(`id: 42\n${frame('message', {type: 'message', room_id: 'room-a', payload: {}})}`)
  await settle()
  disk.full = false
  await clock.advance(10_000)
  expect(transport.streams.map(({request}) => request.from)).toEqual(['head', 41])
  const stopped = controller.stop()
  await clock.advance(10_000)
  await stopped
})
