import type {Result} from '../../shared/base/result.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId} from '../../shared/history/fact.ts'
import {wireOf} from '../../shared/source/source.ts'
import {type Ending, type SourceInput, type SourceState, step} from '../../shared/source/source-machine.ts'
import type {Callbacks} from './callbacks.ts'
import {type ChangeRecord, createRecordChange} from './change-record.ts'
import type {Clock} from './clock.ts'
import {newNumbering} from './numbered/new-numbering.ts'
import {skipHeldFrame} from './skip-frame.ts'
import {isOverLimit, noteCommitted, type SourceRun} from './source-run.ts'
import {StoreFailure} from './store/store.ts'
import {createDecision, createUsersWord, type Decision} from './users-word.ts'
import type {WatchDeps, WatchSource} from './watch-source.ts'

/** What a source needs before it can be watched: who watches its server, and what handles its frames. */
export interface Reach {
  readonly watch: WatchSource
  readonly callbacks?: Callbacks
}

export interface ControllerDeps {
  readonly clock: Clock
  readonly nextFrameId: () => FrameId
  readonly commit: (changes: readonly Change[]) => Promise<void>
  readonly journaled: WatchDeps['journaled']
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
  readonly isClosed: () => boolean
  /** What was closed for good was not to be after all: it goes on as it was. */
  readonly reopen: () => Promise<void>
  /** Begins anew, with what the settings say now; ends a wait, too. Not while it is held: that is the user's word about its frame. */
  readonly restart: () => Promise<void>
  /** As `restart`. A held source is read on where nothing else keeps what comes, and waits for the user's word as before. */
  readonly resume: () => Promise<void>
  /** Works while nothing of it runs, and then begins anew where it was not off. A held source stays held, and begins anew with the user's word. */
  readonly renew: (work: () => Promise<void>) => Promise<void>
  /** A held source begins anew with the user's word, instead of going on as it was. */
  readonly renewWhenDecided: () => void
  readonly decision: Decision
  /** The user's word about what holds it was given, and is what it waits for no longer, though it is still held on screen. */
  readonly goesOn: () => boolean
  readonly skip: (reason: string) => Promise<void>
  readonly change: ChangeRecord
  readonly commit: (changes: readonly Change[]) => Promise<void>
}

export function createSourceController(run: SourceRun, deps: ControllerDeps): SourceController {
  let [closed, stops] = [false, 0]
  const [word, decision] = [createUsersWord(), createDecision()]
  const around = createAround(run, deps, (signal) => word.next(signal).then(decision.over))
  const {commit, change, enter, clock} = around
  const letGo = createLetGo(run, enter)
  const watching = createWatching(run, {reach: deps.reach, decision, begun: letGo.renewed}, around)

  /** Whoever asks now means what is on screen now: neither what stops it meanwhile, nor what holds it next. */
  const startAfter = (over: Promise<unknown>): void => {
    const [seen, before] = [run.state, stops]
    const go = (): void => {
      if (run.state === seen && stops === before) start()
    }
    void over.then(go, go)
  }

  const start = (): void => {
    if (closed) return
    // The frame that is being decided about must not be run, nor judged from the position that a skip leaves.
    const deciding = decision.underWay()
    if (deciding !== undefined) return startAfter(deciding)
    letGo.note()
    if (run.state.kind === 'held' && run.record.paused) return void letGo.rest('asked')
    if (!watching.runs()) return watching.begin({stillHeld: false})
    // What held or stopped it is already on screen while the last of it still ends.
    if (run.state.kind === 'held' && letGo.isOutdated()) return startAfter(end(RESTART))
    if (run.state.kind === 'held' && word.raise()) return
    if (run.state.kind === 'held' || run.state.kind === 'stopped') startAfter(watching.over())
  }

  const end = async (why?: typeof RESTART | typeof CLOSE): Promise<void> => {
    stops += 1
    const wasDecided = letGo.goesOn()
    await watching.end(why)
    if (wasDecided && why !== RESTART) await letGo.rest(why ?? 'asked')
  }

  const restart = (): Promise<void> => end(RESTART).then(start)

  const resume = (): Promise<void> =>
    run.state.kind === 'held' ? readOn(run, {watching, decision, isClosed: () => closed, start}) : restart()

  return {
    run,
    commit,
    change,
    start,
    stop: () => end(),
    close(because) {
      closed = true
      return end(because === CLOSE ? CLOSE : undefined)
    },
    isClosed: () => closed,
    reopen() {
      closed = false
      return run.record.paused ? Promise.resolve() : resume()
    },
    restart,
    resume,
    renew: (work) => renew(run, {end, restart, runs: watching.runs, outdate: letGo.outdate}, work),
    renewWhenDecided: letGo.outdate,
    decision,
    goesOn: letGo.goesOn,
    skip: (reason) => decision.make(() => letGo.once(() => skipHeldFrame(run, reason, {commit, clock}))),
  }
}

interface ReadingOn extends Pick<SourceController, 'decision' | 'isClosed' | 'start'> {
  readonly watching: ReturnType<typeof createWatching>
}

/** A held source waits for the user's word as before, and is read where nothing else keeps what comes. */
async function readOn(run: SourceRun, {watching, decision, isClosed, start}: ReadingOn): Promise<void> {
  if (!readsOnWhileHeld(run)) return
  if (watching.isEnding()) await watching.over() // the pause may not be over yet
  await decision.over()
  if (isClosed() || run.record.paused || watching.runs()) return
  return run.state.kind === 'held' ? watching.begin({stillHeld: true}) : start()
}

interface WatchingDeps extends Pick<Going, 'reach' | 'decision'> {
  /** Whatever it begins anew goes by what the settings say now. */
  readonly begun: () => void
}

/** One watching at a time. */
function createWatching(run: SourceRun, {begun, ...going}: WatchingDeps, around: WatchDeps) {
  let watching: {readonly stop: AbortController; readonly over: Promise<void>} | undefined
  return {
    runs: () => watching !== undefined,
    isEnding: () => watching?.stop.signal.aborted === true,
    over: async () => watching?.over,
    begin({stillHeld}: Pick<Going, 'stillHeld'>): void {
      begun()
      const stop = new AbortController()
      const over = watch(run, {...going, stillHeld}, around, stop.signal).finally(() => (watching = undefined))
      watching = {stop, over}
    },
    async end(why?: typeof RESTART | typeof CLOSE): Promise<void> {
      watching?.stop.abort(why)
      await watching?.over
    },
  }
}

/** What watching a source needs of its controller. */
function createAround(run: SourceRun, deps: ControllerDeps, decided: WatchDeps['decided']) {
  const commit = async (changes: readonly Change[]): Promise<void> => {
    await deps.commit(changes)
    noteCommitted(run, changes)
  }
  const {clock, nextFrameId, journaled, touched} = deps
  const change = createRecordChange(run, commit)
  return {
    clock,
    nextFrameId,
    journaled,
    touched,
    commit,
    change,
    decided,
    ...createConnectionRecord(run, {...deps, commit}),
  }
}

/** What the user's word let go, for as long as it is still held on screen. */
function createLetGo(run: SourceRun, enter: WatchDeps['enter']) {
  let [letGo, skipped]: (SourceState | undefined)[] = []
  let isOutdated = false
  const goesOn = (): boolean => run.state.kind === 'held' && run.state === letGo
  return {
    goesOn,
    note() {
      letGo = run.state
    },
    /** Stopped between the word and what follows from it: that does not follow now, and what was decided holds nothing. */
    async rest(because: 'asked' | typeof CLOSE) {
      if (goesOn()) await enter({kind: 'stop', because: {kind: because}})
    },
    /** What was skipped waits no longer: a second word is not about whatever comes next. */
    async once(skip: () => Promise<void>) {
      const {state} = run
      if (state === skipped) return
      await skip()
      skipped = state
    },
    isOutdated: () => isOutdated,
    outdate() {
      isOutdated = true
    },
    renewed() {
      isOutdated = false
    },
  }
}

interface Renewing {
  readonly end: (why: typeof RESTART) => Promise<void>
  readonly restart: () => Promise<void>
  readonly runs: () => boolean
  readonly outdate: () => void
}

async function renew(
  run: SourceRun,
  {end, restart, runs, outdate}: Renewing,
  work: () => Promise<void>,
): Promise<void> {
  const before = run.state.kind
  if (before !== 'held') await end(RESTART)
  try {
    await work()
  } finally {
    // Also what somebody started meanwhile goes by what was before.
    if (before === 'held') outdate()
    else if (before !== 'stopped' || runs()) await restart()
  }
}

interface Going extends Pick<ControllerDeps, 'reach'> {
  readonly decision: Decision
  /** The user's word about what holds it is waited for, as before. */
  readonly stillHeld: boolean
}

/** Where the server keeps what nobody read, nothing needs to be read while a frame is held. */
function readsOnWhileHeld({record}: SourceRun): boolean {
  return wireOf(record.settings) === 'prime'
}

async function watch(run: SourceRun, going: Going, around: WatchDeps, signal: AbortSignal): Promise<void> {
  await watchReached(run, going, around, signal).finally(() => readNoMore(run, around))
  if (signal.aborted) await stopped(run, signal, around.enter)
}

/** Of one that stays held nothing else tells it. */
function readNoMore(run: SourceRun, {touched}: WatchDeps): void {
  if (!run.readsOn) return
  run.readsOn = false
  touched()
}

async function stopped(run: SourceRun, {reason}: AbortSignal, enter: WatchDeps['enter']): Promise<void> {
  // Held is held, whoever stops it: only the user's word about the frame leads out.
  if (run.state.kind === 'held') return
  // A restart is no pause that anybody asked for, and none that the history should show.
  if (reason === RESTART) run.state = step(run.state, {kind: 'stop', because: {kind: 'asked'}})
  else await enter({kind: 'stop', because: {kind: reason === CLOSE ? 'closedWithApp' : 'asked'}})
}

/** Where the connection of a source stands: on screen at once, and in the history. */
function createConnectionRecord(
  run: SourceRun,
  {clock, touched, commit}: Pick<ControllerDeps, 'clock' | 'touched' | 'commit'>,
): Pick<WatchDeps, 'enter' | 'heartbeat'> {
  const record = async (): Promise<boolean> => {
    run.connection = {source: run.record.id, at: clock.now(), state: run.state, heartbeat: run.heartbeat}
    touched()
    return commit([{kind: 'connectionChanged', connection: run.connection}]).then(recorded, onlyStoreFailure)
  }
  return {
    enter(input) {
      run.state = step(run.state, input)
      return record()
    },
    heartbeat(now) {
      run.heartbeat = now
      void record()
    },
  }
}

async function watchReached(
  run: SourceRun,
  {reach, decision, stillHeld}: Going,
  around: WatchDeps,
  signal: AbortSignal,
): Promise<void> {
  const held = run.state.kind === 'held' ? undefined : heldAtStart(run)
  run.heldBefore = undefined
  const readsOn = readsOnWhileHeld(run)
  const heldUntil = (held !== undefined || stillHeld) && readsOn ? {heldUntil: around.decided(signal)} : {}
  if (held !== undefined) await around.enter(held)
  if (held !== undefined && !readsOn) return
  const reached = await reach()
  // It was held on screen until here: of a frame that is skipped just now nothing runs.
  if (decision.underWay() !== undefined) await decision.over()
  if (!reached.ok) return void (await around.enter({kind: 'stop', because: reached.error}))
  const {watch, callbacks} = reached.value
  await watch(run, {...around, ...heldUntil, ...(callbacks === undefined ? {} : {callbacks})}, signal)
}

/**
 * What an earlier process left held, or would have held next. A numbering whose first frame failed too often is taken no longer:
 * whether it is, is asked before anything about that frame.
 */
function heldAtStart(run: SourceRun): SourceInput | undefined {
  const held = leftHeld(run)
  const first = held?.kind === 'held' ? newNumbering(run, held.frame) : undefined
  if (first === undefined) return held
  const frame = first.journaled.id
  return {kind: 'held', because: {kind: 'numberingReset', frame, first: first.frame.cursor}, frame}
}

function leftHeld({heldBefore, leftovers: [first]}: SourceRun): SourceInput | undefined {
  if (heldBefore !== undefined) return heldBefore
  if (first === undefined || !isOverLimit(first)) return undefined
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
