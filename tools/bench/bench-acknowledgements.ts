import {closeSync, fsyncSync, openSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {
  type AcknowledgeDeps,
  acknowledge,
  acknowledgeRun,
  type FrameDelivery,
} from '../../electron/engine/acknowledge.ts'
import type {Callbacks} from '../../electron/engine/callbacks.ts'
import {systemClock} from '../../electron/engine/clock.ts'
import {judgeArrival, receiveSwitchFrame} from '../../electron/engine/switch/receive-switch-frame.ts'
import {createSseReader} from '../../electron/engine/wire/sse-reader.ts'
import {type Held, nothingHeld} from '../../shared/callbacks/held.ts'
import type {FrameId} from '../../shared/history/frame-id.ts'
import type {Figure} from './figure.ts'
import {inTurns, median, type Times} from './measure.ts'
import {createSwitchText} from './switch-text.ts'
import {benchSource, openBenchStore} from './watched-source.ts'

const ROUNDS = 1_500
/** Not counted: until the log was taken over once and is written over instead of growing. */
const WARM_UP = 500

const HANDLERS: Callbacks = {onEvent: async () => {}, onGap: async () => {}}

/** One frame at a time, each durable before the next, in turns with appends to a file on the same disk. */
export async function benchAcknowledgements(directory: string): Promise<readonly Figure[]> {
  const file = openSync(join(directory, 'appended'), 'w')
  const page = Buffer.alloc(4_096)
  const append = (): void => {
    writeSync(file, page)
    fsyncSync(file)
  }
  const unhandled = await openSource(join(directory, 'no-handler.db'), (held, delivery, deps) =>
    acknowledgeRun(held, [delivery], deps),
  )
  const handled = await openSource(join(directory, 'handler.db'), (held, delivery, deps) =>
    acknowledge(held, delivery, HANDLERS, deps, new AbortController().signal),
  )
  const times = await inTurns(WARM_UP + ROUNDS, {
    append,
    noHandler: unhandled.next,
    twoAppends: () => {
      append()
      append()
    },
    handler: handled.next,
  })
  closeSync(file)
  await unhandled.close()
  await handled.close()
  const of = ({ms}: Times): number => median(ms.slice(WARM_UP))
  return [
    {
      what: 'a single acknowledgement, a handler runs',
      unit: 'ms',
      ours: of(times.handler),
      floor: {what: 'two appends of 4 KiB + fsync', value: of(times.twoAppends)},
      goal: {kind: 'ratio', atMost: 1.3},
    },
    {
      what: 'a single acknowledgement, no handler',
      unit: 'ms',
      ours: of(times.noHandler),
      floor: {what: 'one append of 4 KiB + fsync', value: of(times.append)},
      goal: {kind: 'ratio', atMost: 1.3},
    },
  ]
}

type Handle = (held: Held, delivery: FrameDelivery, deps: AcknowledgeDeps) => ReturnType<typeof acknowledge>

/** A source whose next frame is read, judged, journaled, handled and acknowledged by `next`. */
async function openSource(path: string, handle: Handle) {
  const store = await openBenchStore(path)
  const record = benchSource('bench')
  await store.commit([{kind: 'sourceAdded', source: record}])
  const clock = systemClock()
  const reader = createSseReader()
  const text = createSwitchText()
  const bodies = Array.from({length: WARM_UP + ROUNDS}, () => text.take(1))
  let id = 0
  let held = nothingHeld()
  const receiver = {source: record.id, nextFrameId: () => ++id as FrameId} // the only writer of this store
  return {
    async next(round: number) {
      const [arrival] = reader.feed(bodies[round] ?? Buffer.alloc(0))
      if (arrival === undefined) throw new Error('no frame was read')
      const judged = receiveSwitchFrame({judged: judgeArrival(arrival), at: clock.now()}, receiver)
      if (judged.kind !== 'understood') throw new Error('the frame was not understood')
      const {journaled, frame} = judged
      const delivery = {journaled, frame, attempt: 1, fromJournal: false}
      const done = await handle(held, delivery, {commit: store.commit, clock})
      if (done.end.kind !== 'handled') throw new Error(`the frame was ${done.end.kind}`)
      held = done.held
    },
    close: store.close,
  }
}
