import {OWN} from '../../../shared/position/position.ts'
import type {ConnectionState} from '../../../shared/source/connection-state.ts'
import type {Ending, Heartbeat} from '../../../shared/source/source-machine.ts'
import {createFrameQueue} from '../frame-queue.ts'
import type {SourceRun} from '../source-run.ts'
import {keepBeating} from './beat-loop.ts'
import {handleSwitchFrames} from './handle-switch-frames.ts'
import {type Received, readSwitchStream} from './read-switch-stream.ts'
import type {EndedBy, SwitchSourceDeps, WatchEnd} from './switch-deps.ts'
import type {OpenRequest, OpenStream} from './transport.ts'

/** How far the reading may be ahead of the handling. A run of frames that shares one commit is at most this large. */
const QUEUE_ROOM = {items: 1_000, bytes: 4 * 1024 * 1024}

/**
 * One stream, from its open to its end. Three things go on at once and end together: reading into a bounded queue, handling
 * from it one frame at a time, beating. The first reason to end wins; what was read by then is still handled, except behind
 * a frame that failed.
 */
export async function watchOnce(run: SourceRun, deps: SwitchSourceDeps, signal: AbortSignal): Promise<WatchEnd> {
  const own = new AbortController()
  const ended = AbortSignal.any([signal, own.signal])
  const opened = await deps.transport.open(openRequest(run), ended)
  if (signal.aborted) return {ending: {kind: 'aborted'}, livedMs: 0}
  if (!opened.ok) return {ending: {kind: 'refused', refusal: opened.error}, livedMs: 0}
  await deps.enter({kind: 'opened'})
  const openedAt = deps.clock.monotonic()
  const ending = await watchStream(run, deps, opened.value, {signal: ended, stopped: signal, end: () => own.abort()})
  return {ending: signal.aborted ? {kind: 'aborted'} : ending, livedMs: deps.clock.monotonic() - openedAt}
}

/** Resumes after the acknowledged own sequence. Without one: as the user chose, while nothing was ever held; else from all that is retained. */
function openRequest(run: SourceRun): OpenRequest {
  const {settings, connectionId} = run.record
  const own = run.held.position.get(OWN)
  const fresh = run.held.position.size === 0 && !run.held.vectorSeen
  const head = fresh && settings.kind === 'switch' && settings.startFrom === 'head'
  const generation = run.generation === undefined ? {} : {expectedGeneration: run.generation}
  return {connectionId, from: own ?? (head ? 'head' : 0), ...generation}
}

interface StreamLife {
  /** Aborted when the stream is over. */
  readonly signal: AbortSignal
  /** Aborted when the source is stopped: only this cuts off a running callback. A lost socket does not. */
  readonly stopped: AbortSignal
  readonly end: () => void
}

async function watchStream(
  run: SourceRun,
  deps: SwitchSourceDeps,
  stream: OpenStream,
  life: StreamLife,
): Promise<EndedBy> {
  const {clock} = deps
  const queue = createFrameQueue<Received>(QUEUE_ROOM)
  let first: EndedBy | undefined
  const finish = (ending: EndedBy): void => {
    first ??= ending
    life.end()
    queue.end()
  }
  const onBytes = (at: SourceRun['lastByteAt']): void => {
    run.lastByteAt = at
    deps.touched()
  }
  const onSilence = (): void => finish({kind: 'silent'})
  const reading = readSwitchStream(stream, {queue, clock, onBytes, onSilence, signal: life.signal}).then(finish)
  let beating: Promise<void> | undefined
  const onState = (state: ConnectionState): void => {
    noteConnectionState(run, state)
    beating ??= beat(run, deps, state, life.signal).then((ending) => ending && finish(ending))
  }
  finish((await handleSwitchFrames(run, deps, {queue, onState, signal: life.stopped})) ?? {kind: 'aborted'})
  await Promise.all([reading, beating])
  setHeartbeat(run, deps, 'none')
  return first ?? {kind: 'aborted'}
}

function beat(
  run: SourceRun,
  deps: SwitchSourceDeps,
  state: ConnectionState,
  signal: AbortSignal,
): Promise<Ending | undefined> {
  return keepBeating({
    transport: deps.transport,
    clock: deps.clock,
    connectionId: run.record.connectionId,
    ...(state.generation === undefined ? {} : {generation: state.generation}),
    intervalMs: state.beatIntervalMs,
    held: () => run.held,
    onHeartbeat: (heartbeat) => setHeartbeat(run, deps, heartbeat),
    signal,
  })
}

function setHeartbeat(run: SourceRun, deps: SwitchSourceDeps, heartbeat: Heartbeat): void {
  if (run.heartbeat !== heartbeat) deps.heartbeat(heartbeat)
}

function noteConnectionState(run: SourceRun, state: ConnectionState): void {
  run.generation = state.generation
  const {settings} = run.record
  const other = settings.kind === 'switch' && state.agentId !== undefined && state.agentId !== settings.agentId
  if (other) run.notices.set('otherAgent', `the token belongs to agent ${state.agentId}`)
  else run.notices.delete('otherAgent')
  if (state.positionHint)
    run.notices.set('positionHint', 'this server tells positions when a stream opens; they are not used')
}
