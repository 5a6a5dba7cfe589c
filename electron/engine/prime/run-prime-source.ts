import type {Activity} from '../../../shared/history/activity.ts'
import {unseen} from '../../../shared/sessions/activity-tracker.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import {createBacklog} from '../cursor-source/backlog.ts'
import {handleBacklog} from '../cursor-source/handle-backlog.ts'
import {createOverlay, type Overlay} from '../cursor-source/overlay.ts'
import type {SourceRun} from '../source-run.ts'
import {onlyStoreFailure} from '../store-failed.ts'
import type {WatchDeps} from '../watch-source.ts'
import type {Place, PrimeRunDeps, PrimeSourceDeps} from './prime-source.ts'
import {understandPrimeFrame} from './understand-prime-frame.ts'
import {type SessionEnd, watchSession} from './watch-session.ts'

/** What ended one connection, as a mark to be recognised by: nothing is attached to again before it is another one. */
interface Left {
  readonly because: Ending
  readonly activity: string
}

/**
 * Watches one session of a daemon, over all of its activations, until it is stopped. Reading and handling are apart: what is
 * read goes to the journal at once, and is handled behind, whatever becomes of the connection. What an earlier process journaled
 * and did not handle stands first in the journal, so no snapshot is adopted before it.
 */
export async function runPrimeSource(
  run: SourceRun,
  watching: WatchDeps,
  prime: PrimeSourceDeps,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController() // of what runs beside the reading
  const ended = AbortSignal.any([signal, over.signal])
  const backlog = run.backlog ?? backlogOf(run, watching)
  run.backlog = backlog
  if (watching.heldUntil === undefined) await watching.enter({kind: 'start'})
  await cutShort(watching, await prime.openActivities())
  const overlay = createOverlay(run, watching)
  let refuse = (_: Ending): void => {}
  const handling = handleBacklog(run, {...watching, backlog, overlay, onRefused: (because) => refuse(because)}, ended)
  const deps = {...watching, ...prime, overlay, backlog, onRefusal: (told: typeof refuse) => (refuse = told)}
  try {
    await follow(run, deps, signal)
  } finally {
    over.abort()
    await handling
  }
}

/** The frames that an earlier process left, in the order of the journal. */
function backlogOf(run: SourceRun, deps: WatchDeps) {
  const backlog = createBacklog({journaled: deps.journaled, understand: understandPrimeFrame, held: () => run.held})
  for (const leftover of run.leftovers) backlog.add(leftover)
  const [first] = run.leftovers
  run.leftovers = first !== undefined && first.rejections > 0 ? [first] : []
  run.queued = backlog.size()
  return backlog
}

/** Nobody saw how they ended. Where the disk refuses that, the next start says it. */
async function cutShort(deps: WatchDeps, open: readonly Activity[]): Promise<void> {
  if (open.length === 0) return
  await deps.commit(open.map((one) => ({kind: 'activityChanged', activity: unseen(one)}))).catch(onlyStoreFailure)
}

type FollowDeps = PrimeRunDeps & {
  readonly backlog: ReturnType<typeof createBacklog>
  readonly onRefusal: (told: (because: Ending) => void) => void
}

/** Attaches wherever the session is resident, again and again. */
async function follow(run: SourceRun, deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const {overlay, clock, daemon} = deps
  let left: Left | undefined
  let handed = deps.succession.take(run.record.id)
  while (!signal.aborted) {
    const place = handed === undefined ? await nextPlace(deps, left, signal) : handed
    if (place === undefined) return
    const end = await watchSession(run, deps, place, signal)
    handed = undefined
    if (end.kind === 'stopped') return
    left = await leave(deps, end)
    daemon.hint()
    const state = overlay.connection()
    if (state.kind === 'waiting' && state.delayMs !== undefined) await clock.wait(state.delayMs, signal)
  }
}

/** Waits, without asking anybody, until the daemon's list shows the session where it was not left. */
async function nextPlace(deps: FollowDeps, left: Left | undefined, signal: AbortSignal): Promise<Place | undefined> {
  const {daemon, overlay, session} = deps
  while (!signal.aborted) {
    const changed = daemon.changed(signal)
    const found = daemon.find(session())
    const same = left !== undefined && found.kind === 'resident' && isSame(left, found.row.activity)
    if (found.kind === 'resident' && !same) {
      const {activeSessionId} = found
      if (overlay.connection().kind === 'waiting') await overlay.enter({kind: 'retryDue'})
      return {activeSessionId}
    }
    const because = same ? left?.because : found.kind === 'absent' ? saidBetter(left, found.because) : undefined
    if (because !== undefined) await awaitElse(overlay, because)
    await changed
  }
  return undefined
}

/** A session that was left because nothing happened there is left alone until something does. */
function isSame({because, activity}: Left, now: string): boolean {
  return because.kind === 'idle' && activity === now
}

/** How the session ended tells more than that it is not there. */
function saidBetter(left: Left | undefined, now: Ending): Ending {
  if (left === undefined) return now
  const {because} = left
  const ended = because.kind === 'sessionClosed' || because.kind === 'sessionReplaced'
  return (ended && now.kind === 'notResident') || because.kind === now.kind ? because : now
}

/** Said once: a daemon may be away for days. */
async function awaitElse(overlay: Overlay, because: Ending): Promise<void> {
  const state = overlay.connection()
  const known = state.kind === 'waiting' && state.delayMs === undefined && isEqual(state.because, because)
  if (!known) await overlay.enter({kind: 'awaits', because})
}

function isEqual(a: Ending, b: Ending): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** What is expected to take long is waited for without a time; after everything else the next try has one. */
async function leave(
  {overlay, clock, daemon, session}: FollowDeps,
  {because, livedMs}: Extract<SessionEnd, {kind: 'over'}>,
): Promise<Left> {
  const found = daemon.find(session())
  const activity = found.kind === 'resident' ? found.row.activity : ''
  const waits = because.kind === 'idle' || because.kind === 'workerGone' || because.kind === 'sessionReplaced'
  if (waits) await overlay.enter({kind: 'awaits', because})
  else await overlay.enter({kind: 'ended', because, livedMs, jitter: clock.random()})
  return {because, activity}
}
