import {type Attempt, countsAsFailure} from '../../../shared/history/fact.ts'
import {OWN} from '../../../shared/position/position.ts'
import {type Acknowledged, acknowledge, acknowledgeRun, type FrameDelivery} from '../acknowledge.ts'
import type {Leftover} from '../leftover.ts'
import {noticingStall} from '../notice-stall.ts'
import {noteMoved, type SourceRun} from '../source-run.ts'
import {storeFailed} from '../store-failed.ts'
import type {EndedBy, SwitchSourceDeps} from './switch-deps.ts'

/**
 * Handles what is journaled and unhandled, oldest first, from our own journal. Returns why it had to stop, or `undefined`
 * when nothing is left.
 */
export async function redeliverLeftovers(
  run: SourceRun,
  deps: SwitchSourceDeps,
  signal: AbortSignal,
): Promise<EndedBy | undefined> {
  for (;;) {
    const leftover = run.leftovers[0]
    if (leftover === undefined) return undefined
    const delivery = {
      journaled: leftover.journaled,
      frame: leftover.frame,
      attempt: leftover.attempts + 1,
      fromJournal: true,
      ...(leftover.unrecorded === undefined ? {} : {unrecorded: leftover.unrecorded}),
    }
    const ending = await handleDelivery(run, deps, {delivery, identity: leftover.identity, leftover}, signal)
    if (ending !== undefined) return ending
  }
}

export interface IdentifiedDelivery {
  readonly delivery: FrameDelivery
  readonly identity: string
  /** The unhandled frame that this delivery is another attempt on. */
  readonly leftover?: Leftover
}

/** Acknowledges one frame and keeps the run in step with what became durable. Returns why the stream must end, if it must. */
export async function handleDelivery(
  run: SourceRun,
  deps: SwitchSourceDeps,
  {delivery, identity, leftover}: IdentifiedDelivery,
  signal: AbortSignal,
): Promise<EndedBy | undefined> {
  const {callbacks} = deps
  const done: Acknowledged =
    callbacks === undefined
      ? await acknowledgeRun(run.held, [delivery], deps)
      : await noticingStall(run, deps, delivery, acknowledge(run.held, delivery, callbacks, deps, signal))
  run.held = done.held
  const others = run.leftovers.filter((other) => other !== leftover)
  const rejections = leftover?.rejections ?? 0
  const again = (more: Partial<Leftover> & {readonly failed: boolean}): readonly Leftover[] => {
    const {failed, ...rest} = more
    const {journaled, frame} = delivery
    const attempts = done.attempt?.n ?? delivery.attempt
    return [{journaled, frame, identity, attempts, rejections: rejections + Number(failed), ...rest}, ...others]
  }
  switch (done.end.kind) {
    case 'handled':
      run.leftovers = others
      if (delivery.fromJournal)
        run.broughtFromJournal = {identity, frame: delivery.journaled.id, attempts: delivery.attempt}
      if (delivery.fromJournal && done.moved) run.ownBrought = run.held.position.get(OWN)
      if (done.moved) noteMoved(run)
      return undefined
    case 'rejected':
      run.leftovers = again({failed: true, ...retryOf(done.attempt)})
      return {kind: 'rejected', frame: delivery.journaled.id}
    case 'aborted':
      // What the last failure said about the next try still holds.
      run.leftovers = again({failed: false, ...retryOf(leftover)})
      return {kind: 'aborted'}
    case 'notSettled': {
      const failed = countsAsFailure(done.end.attempt.state)
      const retry = retryOf(failed ? done.end.attempt : leftover)
      run.leftovers = again({failed, unrecorded: done.end.attempt, ...retry})
      return storeFailed(done.end.error)
    }
    case 'notJournaled':
      return storeFailed(done.end.error)
  }
}

function retryOf(told: Pick<Attempt, 'retry'> | undefined): Pick<Leftover, 'retry'> {
  return told?.retry === undefined ? {} : {retry: told.retry}
}
