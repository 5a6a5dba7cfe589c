import type {Result} from '../../shared/base/result.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId} from '../../shared/history/fact.ts'
import {type Ending, type SourceInput, step} from '../../shared/source/source-machine.ts'
import type {Callbacks} from './callbacks.ts'
import type {Clock} from './clock.ts'
import {createSkipper} from './skip-frame.ts'
import {noteCommitted, type SourceRun} from './source-run.ts'
import {StoreFailure} from './store/store.ts'
import {FAILURES_UNTIL_HELD, runSwitchSource} from './switch/run-switch-source.ts'
import type {SwitchTransport} from './switch/transport.ts'

/** What a source needs before it can be watched: a way to its server, and what handles its frames. */
export interface Reach {
  readonly transport: SwitchTransport
  readonly callbacks?: Callbacks
}

export interface ControllerDeps {
  readonly clock: Clock
  readonly nextFrameId: () => FrameId
  readonly commit: (changes: readonly Change[]) => Promise<void>
  readonly touched: () => void
  /** Resolves what the source's settings only name: its token, or the address of the demo. */
  readonly reach: () => Promise<Result<Reach, Ending>>
}

const RESTART = 'restart'
const CLOSE = 'closedWithApp'

/** Starts and stops the watching of one source, one at a time. */
export interface SourceController {
  readonly run: SourceRun
  readonly start: () => void
  /** Resolves when nothing of it runs any more. What was pending is still to be handled. */
  readonly stop: () => Promise<void>
  /** As `stop`, and for good: whatever is still on its way does not start it again. */
  readonly close: (because: 'closedWithApp' | 'asked') => Promise<void>
  /** Begins anew, with what the settings say now; ends a wait, too. */
  readonly restart: () => Promise<void>
  readonly skip: (reason: string) => Promise<void>
  readonly commit: (changes: readonly Change[]) => Promise<void>
}

export function createSourceController(run: SourceRun, deps: ControllerDeps): SourceController {
  let watching: {readonly stop: AbortController; readonly over: Promise<void>} | undefined
  let closed = false

  const commit = async (changes: readonly Change[]): Promise<void> => {
    await deps.commit(changes)
    noteCommitted(run, changes)
  }
  const skipper = createSkipper(run, {commit, clock: deps.clock})
  const record = async (): Promise<boolean> => {
    run.connection = {source: run.record.id, at: deps.clock.now(), state: run.state, heartbeat: run.heartbeat}
    deps.touched()
    return commit([{kind: 'connectionChanged', connection: run.connection}]).then(recorded, onlyStoreFailure)
  }
  const enter = (input: SourceInput): Promise<boolean> => {
    run.state = step(run.state, input)
    return record()
  }
  const watch = async (signal: AbortSignal): Promise<void> => {
    const held = run.state.kind === 'held' ? undefined : heldAtStart(run)
    run.heldBefore = undefined
    if (held !== undefined) return void (await enter(held))
    const reach = await deps.reach()
    if (!reach.ok) return void (await enter({kind: 'stop', because: reach.error}))
    const heartbeat = (now: SourceRun['heartbeat']): void => {
      run.heartbeat = now
      void record()
    }
    await runSwitchSource(run, {...deps, ...reach.value, commit, enter, heartbeat}, signal)
    if (!signal.aborted) return
    // A restart is no pause that anybody asked for, and none that the history should show.
    if (signal.reason === RESTART) run.state = step(run.state, {kind: 'stop', because: {kind: 'asked'}})
    else await enter({kind: 'stop', because: {kind: signal.reason === CLOSE ? 'closedWithApp' : 'asked'}})
  }

  const start = (): void => {
    if (closed) return
    // The frame that is being skipped must not be run, nor judged from the position the skip leaves.
    if (skipper.underWay() !== undefined) return void skipper.underWay()?.then(start, start)
    if (watching !== undefined) {
      // What held or stopped it is already on screen while the last of it still ends.
      if (run.state.kind === 'held' || run.state.kind === 'stopped') void watching.over.then(start)
      return
    }
    const stop = new AbortController()
    const over = watch(stop.signal).finally(() => (watching = undefined))
    watching = {stop, over}
  }

  const stop = async (why?: typeof RESTART | typeof CLOSE): Promise<void> => {
    watching?.stop.abort(why)
    await watching?.over
  }

  return {
    run,
    commit,
    start,
    stop: () => stop(),
    close(because) {
      closed = true
      return stop(because === CLOSE ? CLOSE : undefined)
    },
    async restart() {
      await stop(RESTART)
      start()
    },
    skip: skipper.skip,
  }
}

/** What an earlier process left held, or would have held next. */
function heldAtStart({heldBefore, leftovers: [first]}: SourceRun): SourceInput | undefined {
  if (heldBefore !== undefined) return heldBefore
  if (first === undefined || first.rejections < FAILURES_UNTIL_HELD) return undefined
  const frame = first.journaled.id
  return {kind: 'held', because: {kind: 'rejected', frame}, frame}
}

/** The state on screen is true all the same; the disk's word about it is missing, and the next frame will say why. */
function onlyStoreFailure(cause: unknown): false {
  if (cause instanceof StoreFailure) return false
  throw cause
}

function recorded(): true {
  return true
}
