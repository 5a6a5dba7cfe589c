import {retryDelayMs} from '../../../shared/handlers/handler.ts'
import {afterOpenRefused} from '../../../shared/source/refusal.ts'
import type {Ending, SourceInput} from '../../../shared/source/source-machine.ts'
import {FAILURES_UNTIL_HELD, isOverLimit, type SourceRun} from '../source-run.ts'
import {onlyStoreFailure} from '../store-failed.ts'
import {isTerminal} from './is-terminal.ts'
import {redeliverLeftovers} from './redeliver-leftovers.ts'
import type {EndedBy, StreamOver, SwitchSourceDeps} from './switch-deps.ts'
import {watchOnce} from './watch-once.ts'

/**
 * Watches one Switch source until it is stopped, held, or refused for good: opens, handles, waits, reopens from the
 * acknowledged position. Everything below ends with the signal.
 *
 * What an earlier process journaled and did not handle goes first, then the stream opens from the cursor that leaves, so
 * nothing comes twice and nothing is passed, even where the server's buffer is gone by then.
 */
export async function runSwitchSource(run: SourceRun, deps: SwitchSourceDeps, signal: AbortSignal): Promise<void> {
  let fromJournal = run.leftovers.length > 0
  const onEnd = (over: StreamOver): Promise<void> => leave(run, deps, over)
  await deps.enter({kind: 'start'})
  while (!signal.aborted && run.state.kind !== 'stopped' && run.state.kind !== 'held') {
    if (run.state.kind === 'waiting') {
      const {because, delayMs} = run.state
      await deps.clock.wait(delayMs ?? 0, signal)
      if (signal.aborted) continue
      const kept = await deps.enter({kind: 'retryDue'})
      // A disk that refuses even this would refuse the frames: nothing is read before it takes a commit.
      if (!kept && because.kind === 'storeFailed') await leave(run, deps, {because, livedMs: 0})
      continue
    }
    const watch = fromJournal ? handleJournaled : watchOnce
    const ending = await watch(run, deps, signal, onEnd)
    fromJournal = ending !== undefined && mustComeFromJournal(run, ending)
  }
}

/** Where a source stands once its stream is over. The end of a callback that ran on may say more than the end of the stream. */
async function leave(run: SourceRun, deps: SwitchSourceDeps, over: StreamOver): Promise<void> {
  const known = run.state.kind === 'waiting'
  if (run.state.kind === 'stopped') return
  const input = await inputAfter(run, deps, over)
  if (!known || input.kind !== 'ended') await deps.enter(input)
}

async function handleJournaled(
  run: SourceRun,
  deps: SwitchSourceDeps,
  signal: AbortSignal,
  onEnd: (end: StreamOver) => Promise<void>,
): Promise<EndedBy | undefined> {
  const ending = await redeliverLeftovers(run, deps, signal)
  if (ending !== undefined && ending.kind !== 'aborted' && !signal.aborted) await onEnd({because: ending, livedMs: 0})
  return ending
}

/**
 * A frame whose callback ran and could not be recorded is taken from our own journal: the server may not send it again. A gap
 * too, because where it leads is where the stream must open: a server whose numbers begin anew may take the old position for
 * one of its new ones, and what lies between would be lost. After another rejection the server replays, and the journal is
 * only asked where it does not.
 */
function mustComeFromJournal(run: SourceRun, ending: EndedBy): boolean {
  const [waiting] = run.leftovers
  return waiting !== undefined && (ending.kind === 'storeFailed' || waiting.frame.kind === 'gap')
}

async function inputAfter(
  run: SourceRun,
  deps: SwitchSourceDeps,
  {because, livedMs}: StreamOver,
): Promise<SourceInput> {
  if (isTerminal(because)) return {kind: 'stop', because}
  const held = tooOftenFailed(run, because)
  if (held !== undefined) return held
  if (because.kind === 'refused' && afterOpenRefused(because.refusal) === 'newConnectionId')
    await takeNewConnectionId(run, deps)
  const jitter = deps.clock.random()
  const [first] = run.leftovers
  if (because.kind !== 'rejected' || first?.retry === undefined) return {kind: 'ended', because, livedMs, jitter}
  return {kind: 'ended', because, livedMs, jitter, delayMs: retryDelayMs(first.retry, first.rejections, jitter)}
}

/** A failure counts also where the disk refused to record it. */
function tooOftenFailed(run: SourceRun, because: Ending): SourceInput | undefined {
  if (because.kind === 'malformed' && run.malformedInARow >= FAILURES_UNTIL_HELD)
    return {kind: 'held', because, frame: because.frame}
  const first = run.leftovers[0]
  const hasRun = because.kind === 'rejected' || because.kind === 'storeFailed'
  if (!hasRun || first === undefined || !isOverLimit(first)) return undefined
  const frame = first.journaled.id
  return {kind: 'held', because: {kind: 'rejected', frame}, frame}
}

/** The server says that this id belongs to another agent: it was never ours, so a new one takes nothing from anybody. */
async function takeNewConnectionId(run: SourceRun, deps: SwitchSourceDeps): Promise<void> {
  const connectionId = deps.clock.uuid()
  run.record = {...run.record, connectionId} // also where the disk refuses it: the former id is refused in any case
  run.generation = undefined // it was the former connection's
  await deps.change({connectionId}).catch(onlyStoreFailure)
  run.notices.set('newConnectionId', 'the server said that the former connection id belongs to another agent')
}
