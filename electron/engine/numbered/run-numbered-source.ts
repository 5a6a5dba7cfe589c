import {laneHeld} from '../../../shared/callbacks/settle-cursor.ts'
import {admit, type Lane} from '../../../shared/cursor/lane.ts'
import type {CursorFrame} from '../../../shared/frames/frame.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import {type Backlog, createBacklog} from '../cursor-source/backlog.ts'
import {handleBacklog} from '../cursor-source/handle-backlog.ts'
import {createOverlay} from '../cursor-source/overlay.ts'
import type {Leftover} from '../leftover.ts'
import type {SourceRun} from '../source-run.ts'
import type {WatchDeps} from '../watch-source.ts'
import {isReset} from './new-numbering.ts'
import {createRoom} from './room.ts'
import {understandNumbered} from './understand-numbered.ts'
import {type ConnectionDeps, type NumberedSourceDeps, watchConnection} from './watch-connection.ts'

/**
 * Watches one numbered stream until it is stopped, held, or refused for good. What is read goes to the journal and is handled
 * behind the reading, which waits where too much waits. Before every open all that is journaled is handled, so the stream goes
 * on from the cursor held, and the server sends what is strictly greater: nothing comes twice, and nothing is passed.
 */
export async function runNumberedSource(
  run: SourceRun,
  watching: WatchDeps,
  numbered: NumberedSourceDeps,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController() // of what runs beside the reading
  const ended = AbortSignal.any([signal, over.signal])
  const {backlog, reset} = takeUp(run, watching, numbered)
  run.backlog = backlog
  await watching.enter({kind: 'start'})
  const overlay = createOverlay(run, watching)
  const room = createRoom(backlog)
  const touched = (): void => {
    watching.touched()
    room.changed()
  }
  let refuse = (_: Ending): void => {}
  const beside = {...watching, touched, backlog, overlay, onRefused: (because: Ending) => refuse(because)}
  const handling = handleBacklog(run, beside, ended)
  const onRefusal = (told: typeof refuse): void => {
    refuse = told
  }
  try {
    await follow(run, {...watching, ...numbered, backlog, overlay, room, onRefusal}, reset, signal)
  } finally {
    over.abort()
    await handling
  }
}

/**
 * What is journaled and unhandled, of an earlier process or an earlier start. Where the last of it is the first number of
 * a numbering that began anew, it waits for the user and not for its turn.
 */
function takeUp(
  run: SourceRun,
  deps: WatchDeps,
  {shape}: NumberedSourceDeps,
): {readonly backlog: Backlog; readonly reset: Leftover | undefined} {
  if (run.backlog !== undefined) return {backlog: run.backlog, reset: undefined}
  const understand = (journaled: Leftover['journaled']): CursorFrame | undefined => understandNumbered(journaled, shape)
  const backlog = createBacklog({journaled: deps.journaled, understand, held: () => run.held})
  let lane = laneHeld(run.held)
  let reset: Leftover | undefined
  for (const leftover of run.leftovers) {
    if (beginsAnew(lane, leftover)) reset = leftover
    else backlog.add(leftover)
    lane = passed(lane, leftover)
  }
  const [first] = run.leftovers
  run.leftovers = first !== undefined && first.rejections > 0 ? [first] : []
  run.queued = backlog.size()
  return {backlog, reset}
}

function beginsAnew(lane: Lane, {frame}: Leftover): boolean {
  return frame.kind === 'sequenced' && isReset(lane, frame)
}

function passed(lane: Lane, {frame}: Leftover): Lane {
  return frame.kind === 'sequenced' ? admit(lane, frame.cursor, frame.newConnection).lane : lane
}

/** Opens again and again, each time from the cursor held. */
async function follow(
  run: SourceRun,
  deps: ConnectionDeps,
  journaledReset: Leftover | undefined,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    // It is held also where it is stopped just then: the journal has that frame, and the server would send it a second time.
    await deps.room.atMost(0, signal)
    if (journaledReset !== undefined && deps.backlog.size() === 0) return holdForUser(run, deps, journaledReset)
    if (signal.aborted) return
    const end = await watchConnection(run, deps, signal)
    if (end.kind === 'stopped') return
    if (end.kind === 'reset') return holdForUser(run, deps, end.first)
    await deps.room.atMost(0, signal)
    if (signal.aborted) return
    if (isTerminal(end.because, deps)) return void (await deps.enter({kind: 'stop', because: end.because}))
    await pause(deps, end, signal)
  }
}

/** Asking again would only be refused again. A cursor that is ahead is waited for where the user chose that. */
function isTerminal({kind}: Ending, {future}: NumberedSourceDeps): boolean {
  return kind === 'resumeRefused' || (kind === 'futureCursor' && future === 'fail')
}

async function pause(
  {overlay, clock}: ConnectionDeps,
  {because, livedMs}: {readonly because: Ending; readonly livedMs: number},
  signal: AbortSignal,
): Promise<void> {
  await overlay.enter({kind: 'ended', because, livedMs, jitter: clock.random()})
  const state = overlay.connection()
  if (state.kind === 'waiting') await clock.wait(state.delayMs ?? 0, signal)
  if (!signal.aborted) await overlay.enter({kind: 'retryDue'})
}

/** Nothing waits any more, so what is taken up next begins with what the user decides about this one. */
async function holdForUser(run: SourceRun, deps: ConnectionDeps, reset: Leftover): Promise<void> {
  const frame = reset.journaled.id
  run.leftovers = [reset]
  run.backlog = undefined
  const first = reset.frame.kind === 'sequenced' ? {first: reset.frame.cursor} : {}
  await deps.enter({kind: 'held', because: {kind: 'numberingReset', frame, ...first}, frame})
}
