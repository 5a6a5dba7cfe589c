import {laneHeld} from '../../../shared/callbacks/settle-cursor.ts'
import {laneOfCursor} from '../../../shared/cursor/cursor-position.ts'
import type {NumberedSettings, NumberedShape} from '../../../shared/source/numbered.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import {type Backlog, leftoverOf} from '../cursor-source/backlog.ts'
import {createJournal} from '../cursor-source/journal.ts'
import type {Overlay} from '../cursor-source/overlay.ts'
import type {Leftover} from '../leftover.ts'
import type {SourceRun} from '../source-run.ts'
import {StoreFailure} from '../store/store.ts'
import {storeFailed} from '../store-failed.ts'
import type {WatchDeps} from '../watch-source.ts'
import {createNumberedReader, type NumberedReader, type Taken} from './read-numbered.ts'
import type {Room} from './room.ts'
import type {NumberedStream, NumberedTransport} from './transport.ts'

export interface NumberedSourceDeps {
  readonly transport: NumberedTransport
  readonly shape: NumberedShape
  readonly future: NumberedSettings['future']
}

export interface ConnectionDeps extends WatchDeps, NumberedSourceDeps {
  readonly backlog: Backlog
  readonly overlay: Overlay
  readonly room: Room
  /** Names who is told where the disk refuses what is handled behind the reading. */
  readonly onRefusal: (told: (because: Ending) => void) => void
}

/** How one connection ended. When it has, everything that was read is journaled, or was refused by the disk. */
export type ConnectionEnd =
  | {readonly kind: 'stopped'}
  /** `livedMs` is 0 where the server never let us in. */
  | {readonly kind: 'over'; readonly because: Ending; readonly livedMs: number}
  /** The server numbers anew, below what is held; the first of its new numbers is journaled and waits for the user. */
  | {readonly kind: 'reset'; readonly first: Leftover}

/** Frames that may wait to be handled before the reading waits too: the server keeps what is not read. */
const WAITING = 1_000

const STOPPED = {kind: 'stopped'} as const

/**
 * One connection, from its open to its end. A server that lets us wait says nothing, also where it lost its store, and numbers on
 * past our cursor in the end: so it is first asked to say that we are ahead, and waited for only where its numbering is ours.
 */
export async function watchConnection(
  run: SourceRun,
  deps: ConnectionDeps,
  signal: AbortSignal,
): Promise<ConnectionEnd> {
  const end = await watchOnce(run, {...deps, future: 'fail'}, signal)
  const isAhead = end.kind === 'over' && end.because.kind === 'futureCursor'
  return isAhead && deps.future === 'wait' ? watchOnce(run, deps, signal) : end
}

/** It is opened from the cursor held; nothing that is journaled waits by then. */
async function watchOnce(run: SourceRun, deps: ConnectionDeps, signal: AbortSignal): Promise<ConnectionEnd> {
  const own = new AbortController()
  const ended = AbortSignal.any([signal, own.signal])
  try {
    const {held} = laneHeld(run.held)
    const {future, transport, clock, overlay} = deps
    const opened = await transport.open({...(held === undefined ? {} : {from: held}), future}, ended)
    if (signal.aborted) return STOPPED
    if (!opened.ok) return await beyond(run, deps, {kind: 'over', because: opened.error, livedMs: 0}, ended)
    await overlay.enter({kind: 'opened'})
    const openedAt = clock.monotonic()
    const end = await read(run, deps, opened.value, {own, ended})
    if (end.kind === 'reset') return end // journaled by now, also where it was stopped meanwhile
    if (signal.aborted || end.kind === 'stopped') return STOPPED
    const over = {kind: 'over', because: end.because, livedMs: clock.monotonic() - openedAt} as const
    return await beyond(run, deps, over, signal)
  } finally {
    own.abort()
  }
}

/**
 * A server that lost its store calls our cursor one from the future, and cannot be told from one that is merely behind. Its
 * first number tells: everything is asked for, and no more than the first number of it is read.
 */
async function beyond(
  run: SourceRun,
  deps: ConnectionDeps,
  over: Extract<ConnectionEnd, {kind: 'over'}>,
  signal: AbortSignal,
): Promise<ConnectionEnd> {
  if (over.because.kind !== 'futureCursor') return over
  const own = new AbortController()
  const {transport, shape, future, clock} = deps
  const waited = new AbortController()
  void clock.wait(FIRST_MS, waited.signal).then(() => own.abort())
  try {
    const opened = await transport.open({future}, AbortSignal.any([signal, own.signal]))
    if (!opened.ok) return over
    const first = await firstNumber(run, deps, opened.value, createNumberedReader(shape, laneHeld(run.held)))
    if (signal.aborted) return STOPPED
    return first?.kind === 'reset' ? await hold(deps, first) : over
  } finally {
    waited.abort()
    own.abort()
  }
}

/** A server that sends nothing of what it retains within this time, in ms, retains nothing. */
const FIRST_MS = 5_000

async function firstNumber(
  run: SourceRun,
  deps: ConnectionDeps,
  stream: NumberedStream,
  reader: NumberedReader,
): Promise<Taken | undefined> {
  for await (const batch of stream)
    for (const arrival of batch) {
      const taken = reader.take(arrival, receiptOf(run, deps))
      if (taken.kind === 'reset' || (taken.entry.kind === 'understood' && taken.entry.frame.kind === 'sequenced'))
        return taken
    }
  return undefined
}

function receiptOf(run: SourceRun, {nextFrameId, clock}: ConnectionDeps) {
  return {id: nextFrameId(), source: run.record.id, at: clock.now()}
}

/** Journaled as waiting: what it comes to is for the user to say. */
async function hold(
  deps: ConnectionDeps,
  {journaled, frame}: Extract<Taken, {kind: 'reset'}>,
): Promise<Extract<ConnectionEnd, {kind: 'reset' | 'over'}>> {
  const placed = {...journaled, lane: laneOfCursor(frame.cursor), sequence: frame.cursor.sequence}
  try {
    await deps.commit([{kind: 'frameJournaled', frame: placed, outcome: 'pending', attempt: 0}])
  } catch (cause) {
    if (cause instanceof StoreFailure) return {kind: 'over', because: storeFailed(cause.error), livedMs: 0}
    throw cause
  }
  return {kind: 'reset', first: leftoverOf(placed, frame)}
}

interface Life {
  readonly own: AbortController
  /** Aborted when the connection is over. */
  readonly ended: AbortSignal
}

type ReadEnd = Exclude<ConnectionEnd, {kind: 'over'}> | {readonly kind: 'ended'; readonly because: Ending}

async function read(
  run: SourceRun,
  deps: ConnectionDeps,
  stream: NumberedStream,
  {own, ended}: Life,
): Promise<ReadEnd> {
  let refused: Ending | undefined
  const refuse = (because: Ending): void => {
    refused ??= because
    own.abort()
  }
  deps.onRefusal(refuse)
  const journal = createJournal(run, deps.backlog, {...deps, onRefused: refuse})
  const reader = createNumberedReader(deps.shape, laneHeld(run.held))
  for (;;) {
    const next = await stream.next()
    if (next.done) {
      await journal.flushed()
      return {kind: 'ended', because: refused ?? next.value}
    }
    run.lastByteAt = deps.clock.now()
    deps.touched()
    for (const arrival of next.value) {
      const taken = reader.take(arrival, receiptOf(run, deps))
      if (taken.kind === 'reset') {
        own.abort()
        await stream.return({kind: 'closed'}) // nobody will ask it for more
        if (!(await journal.flushed())) return {kind: 'ended', because: refused ?? {kind: 'closed'}}
        const held = await hold(deps, taken)
        return held.kind === 'reset' ? held : {kind: 'ended', because: held.because}
      }
      journal.push(taken.entry)
      refused ??= taken.refused
    }
    // The disk first, then whoever handles: what is not read meanwhile stays with the server.
    await journal.flushed()
    if (refused !== undefined) own.abort()
    await deps.room.atMost(WAITING, ended)
    deps.touched()
  }
}
