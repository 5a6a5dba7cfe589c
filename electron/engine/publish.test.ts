import {expect, test} from 'vitest'
import {epochMs} from '../../shared/base/units.ts'
import type {ChangeBatch} from '../../shared/contract/contract.ts'
import type {FrameRow} from '../../shared/contract/rows.ts'
import {frameRowOf} from '../../shared/contract/to-rows.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId, JournaledFrame, Outcome} from '../../shared/history/fact.ts'
import type {SourceId} from '../../shared/source/source.ts'
import {createPublisher} from './publish.ts'
import {createVirtualClock} from './testing/virtual-clock.ts'

const source = 'source' as SourceId

test('changes reach a screen as one batch, with what a row came to by then', async () => {
  const {publish, rows} = screen()
  await publish(journaled(1, 'pending'), settled(1, 'handled'))
  expect(rows()).toEqual(['1 handled'])
})

test('a row that is settled later is sent again as a whole', async () => {
  const {publish, rows} = screen()
  await publish(journaled(1, 'pending'))
  await publish(settled(1, 'handled'))
  expect(rows()).toEqual(['1 pending', '1 handled'])
})

test('a malformed frame that the user skips is sent again', async () => {
  const {publish, rows} = screen()
  await publish(journaled(1, 'malformed'))
  await publish(settled(1, 'skipped'))
  expect(rows()).toEqual(['1 malformed', '1 skipped'])
})

test('a frame that an earlier process left is sent when it is settled', async () => {
  const {publish, rows} = screen([frameRowOf(frame(1), 'pending', 1)])
  await publish(settled(1, 'handled'))
  expect(rows()).toEqual(['1 handled'])
})

test('what a screen shows as pending is never left out of a crowded batch', async () => {
  const {publish, rows} = screen()
  await publish(journaled(1, 'pending'))
  await publish(settled(1, 'handled'), ...Array.from({length: 2_000}, (_, n) => journaled(n + 2, 'handled')))
  expect(rows().filter((row) => row.startsWith('1 '))).toEqual(['1 pending', '1 handled'])
})

test('a crowded batch says how many it left out, and leaves out no malformed one', async () => {
  const {publish, batches} = screen()
  await publish(journaled(1, 'malformed'), ...Array.from({length: 999}, (_, n) => journaled(n + 2, 'handled')))
  const [batch] = batches
  expect(batch?.frames[0]).toMatchObject({id: 1, outcome: 'malformed'})
  expect(batch?.framesLeftOut).toBe(1_000 - (batch?.frames.length ?? 0))
})

test('batches are numbered without a gap', async () => {
  const {publish, batches} = screen()
  for (let n = 1; n <= 3; n++) await publish(journaled(n, 'handled'))
  expect(batches.map(({number}) => number)).toEqual([1, 2, 3])
})

function screen(unhandled: readonly FrameRow[] = []) {
  const clock = createVirtualClock()
  const batches: ChangeBatch[] = []
  const publisher = createPublisher(clock, () => undefined, unhandled)
  publisher.subscribe((batch) => batches.push(batch))
  return {
    batches,
    rows: () => batches.flatMap(({frames}) => frames.map(({id, outcome}) => `${id} ${outcome}`)),
    async publish(...changes: readonly Change[]) {
      publisher.committed(changes)
      await clock.advance(100)
    },
  }
}

function frame(id: number): JournaledFrame {
  return {
    id: id as FrameId,
    source,
    receivedAt: epochMs(0),
    kind: 'event',
    event: 'message',
    summary: '',
    bytes: new Uint8Array(),
    size: 0,
    cuts: [],
  }
}

function journaled(id: number, outcome: Outcome): Change {
  return {kind: 'frameJournaled', frame: frame(id), outcome, attempt: 1}
}

function settled(id: number, outcome: Outcome): Change {
  return {kind: 'frameSettled', frame: id as FrameId, source, outcome, attempt: 1, at: epochMs(1)}
}
