import {OWN} from '../../../shared/position/position.ts'
import type {ConnectionState} from '../../../shared/source/connection-state.ts'
import {oneLine} from '../../../shared/source/one-line.ts'
import type {Ending, Heartbeat} from '../../../shared/source/source-machine.ts'
import type {Clock} from '../clock.ts'
import {createFrameQueue, type FrameQueue} from '../frame-queue.ts'
import type {SourceRun} from '../source-run.ts'
import {type BeatCeiling, createBeatCeiling} from './beat-ceiling.ts'
import {keepBeating} from './beat-loop.ts'
import {handleSwitchFrames, type Queued, REPLAY_OVERDUE} from './handle-switch-frames.ts'
import {isTerminal} from './is-terminal.ts'
import {readSwitchStream} from './read-switch-stream.ts'
import type {EndedBy, StreamOver, SwitchSourceDeps} from './switch-deps.ts'
import type {OpenRequest, OpenStream} from './transport.ts'

/** How far the reading may be ahead of the handling. A run of frames that shares one commit is at most this large. */
const QUEUE_ROOM = {items: 1_000, bytes: 4 * 1024 * 1024}

/** After a refused beat the server's goodbye may still be on its way in the stream, and it says more. In ms. */
const GOODBYE_MS = 1_000

/**
 * One stream, from its open to its end. Three things go on at once and end together: reading into a bounded queue, handling
 * from it one frame at a time, beating. What was read when the first of them ends is still handled, except behind a frame
 * that failed; an eviction may be among it. Returns when nothing runs any more, with the reason that weighs most.
 *
 * @param onEnd - told the reason; before a callback that still runs has ended what is known by then, and afterwards again
 */
export async function watchOnce(
  run: SourceRun,
  deps: SwitchSourceDeps,
  signal: AbortSignal,
  onEnd: (over: StreamOver) => Promise<void>,
): Promise<EndedBy> {
  const own = new AbortController()
  const ended = AbortSignal.any([signal, own.signal])
  const request = openRequest(run)
  // Whatever comes of this open, the server may have counted it: the former incarnation is no longer ours to name.
  run.generation = undefined
  const opened = await deps.transport.open(request, ended)
  if (signal.aborted) return ABORTED
  if (!opened.ok) {
    const because = {kind: 'refused', refusal: opened.error} as const
    await onEnd({because, livedMs: 0})
    return because
  }
  await deps.enter({kind: 'opened'})
  const openedAt = deps.clock.monotonic()
  let livedMs: number | undefined
  let telling = Promise.resolve()
  const tell = (because: EndedBy): void => {
    const lived = livedMs ?? 0
    if (!signal.aborted && because.kind !== 'aborted') telling = telling.then(() => onEnd({because, livedMs: lived}))
  }
  const end = (because: EndedBy): void => {
    own.abort()
    livedMs ??= deps.clock.monotonic() - openedAt
    if (run.openAttempt !== undefined) tell(because)
  }
  const ending = await watchStream(run, deps, opened.value, {signal: ended, stopped: signal, end})
  tell(ending)
  await telling
  return signal.aborted ? ABORTED : ending
}

const ABORTED = {kind: 'aborted'} as const

/**
 * Resumes after the acknowledged own sequence. Without one: as the user chose, while nothing was ever held; else from all that
 * is retained. "From now on" is asked for once: what came since must not be lost with a stream that failed before anything
 * of it was acknowledged.
 */
function openRequest(run: SourceRun): OpenRequest {
  const {settings, connectionId} = run.record
  const own = run.held.position.get(OWN)
  const fresh = run.held.position.size === 0 && !run.held.vectorSeen
  const head = fresh && settings.kind === 'switch' && settings.startFrom === 'head'
  const generation = run.generation === undefined ? {} : {expectedGeneration: run.generation}
  return {connectionId, from: own ?? (head ? (run.beganAt ?? 'head') : 0), ...generation}
}

interface StreamLife {
  /** Aborted when the stream is over. */
  readonly signal: AbortSignal
  /** Aborted when the source is stopped: only this cuts off a running callback. A lost socket does not. */
  readonly stopped: AbortSignal
  /** Called once, with the first reason. */
  readonly end: (ending: EndedBy) => void
}

async function watchStream(
  run: SourceRun,
  deps: SwitchSourceDeps,
  stream: OpenStream,
  life: StreamLife,
): Promise<EndedBy> {
  const {clock} = deps
  const queue = createFrameQueue<Queued>(QUEUE_ROOM)
  run.ownBrought = undefined
  let first: EndedBy | undefined
  const finish = (ending: EndedBy): void => {
    if (first !== undefined) return
    first = ending
    life.end(ending)
    queue.end()
  }
  const onBytes = (at: SourceRun['lastByteAt']): void => {
    run.lastByteAt = at
    run.queued = queue.size()
    deps.touched()
  }
  const ceiling = createBeatCeiling()
  const listening = {onBytes, onArrivals: ceiling.received, onSilence: () => finish({kind: 'silent'})}
  const reading = readSwitchStream(stream, {queue, clock, ...listening, signal: life.signal}).then(finish)
  let beating: Promise<void> | undefined
  const onState = (state: ConnectionState): void => {
    noteConnectionState(run, state)
    if (run.leftovers.length > 0) void askJournalLater(clock, queue, life.signal)
    beating ??= beat(run, deps, {state, ceiling}, life.signal).then(async (ending) => {
      if (ending !== undefined && !isTerminal(ending)) await clock.wait(GOODBYE_MS, life.signal)
      if (ending !== undefined) finish(ending)
      setHeartbeat(run, deps, 'none')
    })
  }
  const failed = await handleSwitchFrames(run, deps, {queue, onState, onHandled: ceiling.handled, signal: life.stopped})
  finish(failed ?? ABORTED)
  await Promise.all([reading, beating])
  run.queued = 0 // what nobody took up was not acknowledged: the server has it still
  return weightier(failed, first) ?? ABORTED
}

/** A server that replays does so at once. Where it does not (the frame told no position of its own), the journal brings it. In ms. */
const REPLAY_PATIENCE_MS = 3_000

async function askJournalLater(clock: Clock, queue: FrameQueue<Queued>, signal: AbortSignal): Promise<void> {
  await clock.wait(REPLAY_PATIENCE_MS, signal)
  if (!signal.aborted) await queue.push([REPLAY_OVERDUE], 0)
}

/** What a frame said or did tells more than that the socket closed behind it. A refusal for good outweighs both. */
function weightier(byFrame: EndedBy | undefined, first: EndedBy | undefined): EndedBy | undefined {
  return first !== undefined && first.kind !== 'aborted' && isTerminal(first) ? first : (byFrame ?? first)
}

function beat(
  run: SourceRun,
  deps: SwitchSourceDeps,
  {state, ceiling}: {readonly state: ConnectionState; readonly ceiling: BeatCeiling},
  signal: AbortSignal,
): Promise<Ending | undefined> {
  return keepBeating({
    transport: deps.transport,
    clock: deps.clock,
    connectionId: run.record.connectionId,
    ...(state.generation === undefined ? {} : {generation: state.generation}),
    intervalMs: state.beatIntervalMs,
    own: () => ceiling.limit(ownOfStream(run)),
    onHeartbeat: (heartbeat) => setHeartbeat(run, deps, heartbeat),
    signal,
  })
}

/**
 * What is acknowledged, unless the journal brought it in the middle of this stream. The server takes what a beat reports, up to
 * its own head, as delivered here: a number of another stream, perhaps of numbers that began anew since, would make it skip.
 */
function ownOfStream({held, ownBrought}: SourceRun): number {
  const own = held.position.get(OWN)
  return own === undefined || own === ownBrought ? 0 : own
}

function setHeartbeat(run: SourceRun, deps: SwitchSourceDeps, heartbeat: Heartbeat): void {
  if (run.heartbeat !== heartbeat) deps.heartbeat(heartbeat)
}

function noteConnectionState(run: SourceRun, state: ConnectionState): void {
  run.generation = state.generation
  run.beganAt ??= state.cursor
  const {settings} = run.record
  const {agentId} = state
  const known = settings.kind === 'switch' && agentId !== undefined
  if (known && agentId !== settings.agentId)
    run.notices.set('otherAgent', `the token belongs to agent ${oneLine(agentId)}`)
  else run.notices.delete('otherAgent')
  if (state.positionHint)
    run.notices.set('positionHint', 'this server tells positions when a stream opens; they are not used')
}
