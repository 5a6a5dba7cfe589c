import {settlementOf} from '../../../shared/callbacks/settlement.ts'
import {retryDelayMs} from '../../../shared/handlers/handler.ts'
import {countsAsFailure} from '../../../shared/history/fact.ts'
import {backoffMs, type Ending} from '../../../shared/source/source-machine.ts'
import {type Acknowledged, acknowledge, acknowledgeRun, type FrameDelivery} from '../acknowledge.ts'
import type {Leftover} from '../leftover.ts'
import {noticingStall} from '../notice-stall.ts'
import {isOverLimit, type SourceRun} from '../source-run.ts'
import {storeFailed} from '../store-failed.ts'
import type {WatchDeps} from '../watch-source.ts'
import type {Backlog} from './backlog.ts'
import type {Overlay} from './overlay.ts'

export interface HandlingDeps extends WatchDeps {
  readonly backlog: Backlog
  /** Holds the source while the reading goes on, and lets it go again. */
  readonly overlay: Overlay
  /** The disk refused: what is read now would be refused too. */
  readonly onRefused: (because: Ending) => void
}

/**
 * Handles what is journaled and unhandled, one by one and in order, for as long as the source is watched. A rejected frame
 * runs again after a pause, and after too many failures the source is held until the user's word; meanwhile the reading goes on.
 */
export async function handleBacklog(run: SourceRun, deps: HandlingDeps, signal: AbortSignal): Promise<void> {
  if (deps.heldUntil !== undefined) await awaitWord(deps, deps.heldUntil, signal)
  while (!signal.aborted) {
    await deps.backlog.arrival(signal)
    if (signal.aborted) return
    const leftover = await deps.backlog.first()
    if (leftover === undefined) await deps.clock.wait(UNREADABLE_MS, signal)
    else await handleFirst(run, deps, leftover, signal)
    run.queued = deps.backlog.size()
    deps.touched()
  }
}

/** A journal that cannot be read now is asked again after so long. */
const UNREADABLE_MS = 5_000

async function handleFirst(run: SourceRun, deps: HandlingDeps, leftover: Leftover, signal: AbortSignal): Promise<void> {
  const {end, attempts, retry, ...done} = await runOne(run, deps, leftover, signal)
  run.held = done.held
  switch (end.kind) {
    case 'handled':
      deps.backlog.dropFirst()
      run.leftovers = []
      return
    case 'aborted':
      // It began, so what was owed to the disk is recorded; what the last failure said about the next try still holds.
      deps.backlog.amendFirst({...recorded(leftover), attempts})
      return
    case 'rejected': {
      const rejections = leftover.rejections + 1
      const failed = {...fresh(leftover), attempts, rejections, ...(retry === undefined ? {} : {retry})}
      deps.backlog.amendFirst(failed)
      run.leftovers = [failed]
      if (isOverLimit(failed)) return hold(deps, failed, signal)
      return deps.clock.wait(pauseAfter(failed, deps.clock.random()), signal)
    }
    case 'notSettled': {
      const rejections = leftover.rejections + Number(countsAsFailure(end.attempt.state))
      const told = retry === undefined ? {} : {retry}
      const ended = {...leftover, attempts, rejections, unrecorded: end.attempt, ...told}
      deps.backlog.amendFirst(ended)
      if (!isOverLimit(ended)) return refused(deps, storeFailed(end.error), signal)
      // A failure counts also where the disk refused to record it.
      run.leftovers = [ended]
      deps.onRefused(storeFailed(end.error))
      return hold(deps, ended, signal)
    }
    case 'notJournaled':
      return refused(deps, storeFailed(end.error), signal)
  }
}

async function runOne(
  run: SourceRun,
  deps: HandlingDeps,
  leftover: Leftover,
  signal: AbortSignal,
): Promise<Pick<Acknowledged, 'held' | 'end'> & Pick<Leftover, 'attempts' | 'retry'>> {
  const {callbacks} = deps
  const {journaled, frame, unrecorded} = leftover
  const called = settlementOf(run.held, frame).callback !== undefined
  // A handler may be run for what usually needs none: what ran once runs again as the next one.
  const attempt = called || leftover.attempts > 0 ? leftover.attempts + 1 : 0
  const delivery: FrameDelivery = {
    journaled,
    frame,
    attempt,
    fromJournal: true,
    ...(unrecorded === undefined ? {} : {unrecorded}),
  }
  const done =
    callbacks === undefined
      ? await acknowledgeRun(run.held, [delivery], deps)
      : await noticingStall(run, deps, delivery, acknowledge(run.held, delivery, callbacks, deps, signal))
  const retry = done.attempt?.retry
  return {
    held: done.held,
    end: done.end,
    attempts: done.attempt?.n ?? attempt,
    ...(retry === undefined ? {} : {retry}),
  }
}

/** What was owed to the disk is recorded with the start of the next attempt, and owed no longer. */
function recorded({unrecorded: _, ...leftover}: Leftover): Leftover {
  return leftover
}

/** What a failure said holds until the next one. */
function fresh(leftover: Leftover): Leftover {
  const {retry: _before, ...rest} = recorded(leftover)
  return rest
}

/** A handler of the user's says how long to wait before it is tried again. */
function pauseAfter({rejections, retry}: Leftover, jitter: number): number {
  return retry === undefined ? backoffMs(rejections - 1, jitter) : retryDelayMs(retry, rejections, jitter)
}

async function refused(deps: HandlingDeps, because: Ending, signal: AbortSignal): Promise<void> {
  deps.onRefused(because)
  await deps.clock.wait(backoffMs(1, deps.clock.random()), signal)
}

async function hold(deps: HandlingDeps, failed: Leftover, signal: AbortSignal): Promise<void> {
  const frame = failed.journaled.id
  const word = deps.decided(signal) // asked for before anybody can see that it is held
  await deps.overlay.hold({kind: 'rejected', frame}, frame)
  await awaitWord(deps, word, signal)
}

/** The user's word: run it again, or it was skipped, and waits no longer. */
async function awaitWord({overlay}: HandlingDeps, word: Promise<void>, signal: AbortSignal): Promise<void> {
  await Promise.race([word, aborted(signal)])
  if (!signal.aborted) await overlay.release()
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), {once: true})
  })
}
