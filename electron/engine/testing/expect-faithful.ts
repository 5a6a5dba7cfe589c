import {expect} from 'vitest'
import type {Change} from '../../../shared/history/change.ts'
import type {FrameId, JournaledFrame} from '../../../shared/history/fact.ts'
import {type Position, positionToJson} from '../../../shared/position/position.ts'
import {replaySwitch} from '../replay/replay-switch.ts'
import {firstDifference, framesOf} from './as-sent.ts'
import type {Watched} from './watch-demo.ts'
import type {WatchedStore} from './watched-store.ts'
import {bytesOf, type SeenOpen} from './wiretap.ts'

/**
 * What must be true of any watching, whatever the server did: nothing is asked or told above what is acknowledged, the cursor
 * is where the bytes of the handled frames lead, what was received is a beginning of what was sent, and no frame moved the
 * cursor before its callback.
 */
export async function expectFaithful(watched: Watched): Promise<void> {
  const {store, tap, beatsTold, opensTold} = watched
  for (const {cursor, acknowledged} of beatsTold) expect(cursor).toBeLessThanOrEqual(acknowledged ?? 0)
  for (const {from, acknowledged} of opensTold) expect(from).toBe(acknowledged ?? 0)
  const told = new Set(beatsTold.map(({cursor}) => cursor))
  expect(tap.beats.map(({body}) => body['cursor']).filter((cursor) => !told.has(Number(cursor)))).toEqual([])
  const [stored] = (await store.load()).sources
  expect(positionToJson(stored?.position ?? new Map())).toEqual(positionToJson(store.position()))
  expect(await replayed(store)).toEqual(positionToJson(store.position()))
  expect(receivedOtherwiseThanSent(store, tap.opens)).toEqual([])
  expect(moveWithoutCallback(store.changes)).toEqual([])
  expect(attemptsOutOfOrder(store.changes)).toEqual([])
  await expectPublished(watched)
}

/** Where the bytes of what was handled, in the order of its handling, lead a replay. */
async function replayed({changes, frames}: WatchedStore): Promise<object> {
  const done: JournaledFrame[] = []
  let start: Position = new Map()
  for (const change of changes) {
    if (change.kind === 'cursorMoved' && change.move.cause === 'imported')
      start = new Map(change.move.steps.flatMap(({key, after}) => (after === undefined ? [] : [[key, after] as const])))
    if (change.kind === 'frameJournaled' && isDone(change.outcome)) done.push(change.frame)
    if (change.kind !== 'frameSettled' || !isDone(change.outcome)) continue
    const tracked = frames.get(change.frame)
    if (tracked !== undefined) done.push(tracked.frame)
  }
  const body = done.flatMap(({bytes}) => [bytes, Buffer.from('\n')])
  let position: object = {}
  for await (const line of replaySwitch(body, {start})) position = line.position
  return position
}

function isDone(outcome: string): boolean {
  return outcome === 'handled' || outcome === 'discarded' || outcome === 'skipped' || outcome === 'control'
}

/** Between two opens, the frames that were journaled are the first ones the server wrote, byte by byte, none left out. */
function receivedOtherwiseThanSent({changes}: WatchedStore, opens: readonly SeenOpen[]): readonly string[] {
  const streams = opens.filter(({status, pieces}) => status === 200 && pieces.length > 0)
  const wrong: string[] = []
  for (const [n, received] of receivedByStream(changes).entries()) {
    const stream = streams[n]
    const sent = stream === undefined ? '' : framesOf(bytesOf(stream).toString('latin1'))
    if (!sent.startsWith(received)) wrong.push(`stream ${n}: ${firstDifference(sent, received)}`)
  }
  return wrong
}

/** Text of every live stretch that brought any frame; a frame above the cap was not kept and ends its stream. */
function receivedByStream(changes: readonly Change[]): readonly string[] {
  const streams: string[] = []
  let live = false
  for (const change of changes) {
    if (change.kind === 'connectionChanged') {
      const now = change.connection.state.kind === 'live'
      if (now && !live) streams.push('')
      live = now
    }
    if (change.kind !== 'frameJournaled' || change.frame.problem?.kind === 'tooLong') continue
    streams.push(`${streams.pop() ?? ''}${Buffer.from(change.frame.bytes).toString('latin1')}\n`)
  }
  return streams.filter((text) => text !== '')
}

/** With callbacks, a frame that was handled has a run that resolved before its move. */
function moveWithoutCallback(changes: readonly Change[]): readonly FrameId[] {
  const begun = new Set<FrameId>()
  const resolved = new Set<FrameId>()
  const wrong: FrameId[] = []
  for (const change of changes) {
    if (change.kind === 'attemptStarted') begun.add(change.attempt.frame)
    if (change.kind === 'attemptEnded' && change.attempt.state === 'resolved') resolved.add(change.attempt.frame)
    if (change.kind !== 'cursorMoved' || change.move.frame === undefined) continue
    const {frame, cause} = change.move
    const called = cause === 'handled' || cause === 'gapReplaced'
    if (called && begun.size > 0 && !resolved.has(frame)) wrong.push(frame)
  }
  return wrong
}

/** The runs of one frame, over its redeliveries, are 1, 2, 3 without a hole. */
function attemptsOutOfOrder(changes: readonly Change[]): readonly string[] {
  const runs = new Map<FrameId, number>()
  const wrong: string[] = []
  for (const change of changes) {
    if (change.kind === 'frameJournaled' && change.frame.redelivers !== undefined)
      runs.set(change.frame.id, runs.get(change.frame.redelivers) ?? 0)
    if (change.kind !== 'attemptStarted') continue
    const {frame, n} = change.attempt
    if (n !== (runs.get(frame) ?? 0) + 1) wrong.push(`frame ${frame}: ${n} after ${runs.get(frame) ?? 0}`)
    runs.set(frame, n)
  }
  return wrong
}

/** What a screen was told of a frame, a gap or a run of a callback is what the store says of it. */
async function expectPublished({store, published, engine, until}: Watched): Promise<void> {
  const {frames} = await store.read.framesPage({}, undefined, 500)
  await until(() => frames.every(({id}) => published.frames.has(id)) || leftOut(), 'what was committed on the screens')
  for (const row of frames) {
    const shown = published.frames.get(row.id)
    if (shown !== undefined) expect(shown).toEqual(row)
    const detail = await store.read.frameDetail(row.id as FrameId) // a row carries it as a plain number
    for (const attempt of detail?.attempts ?? [])
      if (shown !== undefined) expect(published.attempts.get(`${attempt.frame} ${attempt.n}`)).toEqual(attempt)
  }
  const {gaps} = await store.read.gaps(undefined, undefined, 500)
  for (const gap of gaps) expect(published.gaps.get(gap.frame)).toEqual(gap)
  const [view] = await engine.handlers['sources.list']({})
  const [stored] = (await store.load()).sources
  expect(view?.counts).toEqual(stored?.counts)

  function leftOut(): boolean {
    return published.batches.some(({framesLeftOut}) => framesLeftOut > 0)
  }
}
