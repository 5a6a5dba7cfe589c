import {createHash} from 'node:crypto'
import {epochMs} from '../../../shared/base/units.ts'
import {laneOfGeneration} from '../../../shared/cursor/cursor-position.ts'
import type {Frame} from '../../../shared/frames/frame.ts'
import type {Handler} from '../../../shared/handlers/handler.ts'
import type {HandlerCall} from '../../../shared/handlers/handler-input.ts'
import type {HandlerRun} from '../../../shared/handlers/handler-run.ts'
import {idempotencyKey} from '../../../shared/handlers/idempotency-key.ts'
import {matches, type RuleSubject, subjectOf} from '../../../shared/handlers/match-rule.ts'
import {CallbackFailure, type CallbackReport, type Callbacks, type Delivery} from '../callbacks.ts'
import type {Clock} from '../clock.ts'

/** How one run of a handler ended, in whatever world it ran. */
export type HandlerEnd = Omit<HandlerRun, 'handler' | 'name' | 'kind' | 'startedAt' | 'durationMs'>

/**
 * Runs one handler for one frame. Never rejects: what goes wrong is an end.
 *
 * @param until - aborted with the reason `deadline` when its time is over, with another one when the source stops or the engine closes
 * @param draftSecret - instead of the one that is kept, while it is being tried
 */
export type RunHandler = (
  handler: Handler,
  call: HandlerCall,
  until: AbortSignal,
  draftSecret?: string,
) => Promise<HandlerEnd>

export interface HandlerCallbacksDeps {
  /** As they are now: asked anew for every frame. */
  readonly handlers: () => readonly Handler[]
  readonly sourceName: () => string
  /** Names the run of numbers that a frame's sequence counts in. */
  readonly epoch: () => string
  readonly run: RunHandler
  readonly clock: Clock
  /** What the source itself does for a frame, before any handler. */
  readonly before?: Callbacks
}

/**
 * The handlers of one source as its callbacks. Those that choose a frame run one after another; the first that fails ends the
 * attempt, and the next attempt begins with the first one again.
 */
export function createHandlerCallbacks(deps: HandlerCallbacksDeps): Callbacks {
  const run = async (
    delivery: Delivery,
    callback: 'onEvent' | 'onGap',
    signal: AbortSignal,
  ): Promise<CallbackReport> => {
    if (delivery.settlement.callback !== undefined) await deps.before?.[callback](delivery, signal)
    const subject = subjectOf(delivery.frame, delivery.settlement)
    const chosen = subject === undefined ? [] : deps.handlers().filter(({rule}) => matches(rule, subject))
    return subject === undefined
      ? {runs: []}
      : runInOrder(chosen, callOf(delivery, callback, subject, deps), deps, signal)
  }
  return {
    onEvent: (delivery, signal) => run(delivery, 'onEvent', signal),
    onGap: (delivery, signal) => run(delivery, 'onGap', signal),
    chooses(frame, settlement) {
      if (deps.before !== undefined && settlement.callback !== undefined) return true
      const subject = subjectOf(frame, settlement)
      return subject !== undefined && deps.handlers().some(({rule}) => matches(rule, subject))
    },
  }
}

async function runInOrder(
  handlers: readonly Handler[],
  call: HandlerCall,
  deps: Pick<HandlerCallbacksDeps, 'run' | 'clock'>,
  signal: AbortSignal,
): Promise<CallbackReport> {
  const runs: HandlerRun[] = []
  for (const handler of handlers) {
    if (signal.aborted) throw new CallbackFailure('given up before the next handler began', {state: 'aborted', runs})
    const done = await runWithDeadline(handler, call, deps, signal)
    runs.push(done)
    if (done.state === 'resolved') continue
    const {attempts, backoffMs} = handler
    const told = {state: done.state, runs, retry: {attempts, backoffMs}}
    throw new CallbackFailure(`${handler.name}: ${done.error ?? done.state}`, told)
  }
  return {runs}
}

/** One handler, and what is kept of its run. */
export async function runWithDeadline(
  handler: Handler,
  call: HandlerCall,
  {run, clock}: Pick<HandlerCallbacksDeps, 'run' | 'clock'>,
  signal: AbortSignal,
  draftSecret?: string,
): Promise<HandlerRun> {
  const {id, name, action, deadlineMs} = handler
  const [startedAt, begun] = [clock.now(), clock.monotonic()]
  const late = new AbortController()
  const over = new AbortController()
  void clock.wait(deadlineMs, over.signal).then(() => {
    if (!over.signal.aborted) late.abort('deadline')
  })
  const end = await run(handler, call, AbortSignal.any([signal, late.signal]), draftSecret)
  over.abort()
  const durationMs = Math.round(clock.monotonic() - begun)
  return {handler: id, name, kind: action.kind, startedAt: epochMs(startedAt), durationMs, ...end}
}

function callOf(
  {source, frame, journaled, settlement, attempt}: Delivery,
  callback: 'onEvent' | 'onGap',
  subject: RuleSubject,
  deps: HandlerCallbacksDeps,
): HandlerCall {
  const {place} = settlement
  return {
    source: {id: source, name: deps.sourceName()},
    callback,
    frame,
    place,
    receivedAt: journaled.receivedAt,
    outcome: subject.outcome,
    attempt,
    key: idempotencyKey({
      source,
      epoch: epochOf(frame) ?? deps.epoch(),
      place,
      digest: contentDigest(frame.event, frame.data),
    }),
    isTest: false,
  }
}

/** A stream that names its generations says by itself in which one a number counts. */
function epochOf(frame: Frame): string | undefined {
  return 'cursor' in frame ? laneOfGeneration(frame.cursor.generation) : undefined
}

const DIGEST_LENGTH = 16

/** Of what the server said, so that a redelivery of the same has the same. */
export function contentDigest(event: string, data: unknown): string {
  const text = JSON.stringify([event, data])
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH)
}
