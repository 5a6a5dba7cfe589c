import type {PrimeDaemon} from '../../../shared/contract/rows.ts'
import {compareSessions, type SessionKey} from '../../../shared/sessions/session-key.ts'
import type {SessionRow} from '../../../shared/sessions/session-row.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {Clock} from '../clock.ts'
import {askForSessions, type Control, type Told} from './ask-for-sessions.ts'
import {isWorkerSocket} from './default-socket.ts'
import type {SocketTransport} from './transport.ts'

/** Where a session is now, as far as its daemon says. */
export type Found =
  /** Not known yet, or known from a list that something has happened since. */
  | {readonly kind: 'looking'}
  | {readonly kind: 'resident'; readonly activeSessionId: string; readonly row: SessionRow}
  | {readonly kind: 'absent'; readonly because: Ending}

/** Looks for the daemon behind one socket, and knows what it last said of its sessions. */
export interface DaemonWatch {
  readonly view: () => PrimeDaemon
  readonly find: (session: SessionKey) => Found
  /** Resolves with the next news of this daemon, or when the signal aborts. */
  readonly changed: (signal: AbortSignal) => Promise<void>
  /** Lists anew now; resolves with the answer, or when none can come. */
  readonly refresh: () => Promise<void>
  /** Something happened to a session: what the last list said may hold no longer. */
  readonly hint: () => void
  /** A watched session is answering: a list would disturb what its other clients see. */
  readonly streaming: (source: SourceId, is: boolean) => void
  readonly close: () => Promise<void>
}

export interface DaemonWatchDeps {
  readonly transport: SocketTransport
  readonly clock: Clock
  readonly onChange: () => void
}

/** Pauses between looks, in ms: short ones after a daemon was lost, as a restart takes seconds; then slow ones. */
const QUICK_MS = [100, 200, 400, 800, 1_600] as const
const QUICK_FOR_MS = 60_000
const LONGEST_QUICK_MS = 2_000
const SLOW_MS = 10_000
/** A daemon that served for so long, in ms, was one. */
const STAYED_MS = 5_000

/**
 * Never starts a daemon, and touches nothing of its folder: it connects, and where nobody answers it waits until something changes
 * there, or a while. (Prime note, sections 1 and 10.)
 */
export function watchDaemon(socket: string, deps: DaemonWatchDeps): DaemonWatch {
  const over = new AbortController()
  const waiting = new Set<() => void>()
  const streaming = new Set<SourceId>()
  let told: Told = {view: {socket, state: 'looking', sessions: []}, rows: [], stale: true}
  const tell = (news: Partial<Told>): void => {
    told = {...told, ...news}
    for (const resolve of waiting) resolve()
    waiting.clear()
    deps.onChange()
  }
  const {transport, clock} = deps
  const control: Control = {
    socket,
    transport,
    clock,
    told: () => told,
    tell,
    mayList: () => streaming.size === 0,
    ask: undefined,
  }
  const looking = isWorkerSocket(socket) ? refuseWorker(control) : keepLooking(control, over.signal)

  return {
    view: () => told.view,
    find: (session) => find(told, session),
    changed: (signal) =>
      new Promise((resolve) => {
        waiting.add(resolve)
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve(), {once: true})
      }),
    async refresh() {
      if (told.view.state === 'connected') await control.ask?.('now')
    },
    hint() {
      if (told.view.state !== 'connected') return
      told = {...told, stale: true}
      void control.ask?.('soon')
    },
    streaming(source, is) {
      if (is) streaming.add(source)
      else streaming.delete(source)
    },
    async close() {
      over.abort()
      await looking
    },
  }
}

function find({view, rows, stale}: Told, session: SessionKey): Found {
  const {state, detail = ''} = view
  if (state === 'unsupported') return {kind: 'absent', because: {kind: 'unsupportedDaemon', detail}}
  if (state === 'looking' || (state === 'connected' && stale)) return {kind: 'looking'}
  if (state !== 'connected') return {kind: 'absent', because: {kind: 'noDaemon', code: detail}}
  // A session may be listed twice while another worker takes it over; the one that can be attached to is meant.
  const isIt = (one: SessionRow): boolean => compareSessions(one, session) === 'same'
  const [row] = rows.filter((one) => isIt(one) && one.activeSessionId !== undefined).sort(surestFirst)
  if (row?.activeSessionId === undefined) return {kind: 'absent', because: {kind: 'notResident'}}
  if (row.state === 'failed') return {kind: 'absent', because: {kind: 'workerGone', detail: 'listed as failed'}}
  return {kind: 'resident', activeSessionId: row.activeSessionId, row}
}

/** One that is named by its id, before one that only has its file. */
function surestFirst(a: SessionRow, b: SessionRow): number {
  const named = Number(a.sessionId === undefined) - Number(b.sessionId === undefined)
  return named !== 0 ? named : Number(a.state === 'failed') - Number(b.state === 'failed')
}

async function refuseWorker({tell, told}: Control): Promise<void> {
  tell({view: {...told().view, state: 'failed', detail: 'this is a worker’s own socket, and is not opened'}})
}

async function keepLooking(control: Control, signal: AbortSignal): Promise<void> {
  const {clock} = control
  let since = clock.monotonic()
  let looks = 0
  while (!signal.aborted) {
    const opened = clock.monotonic()
    const met = await askForSessions(control, signal)
    // One that lets in and hangs up at once is no daemon that was lost: it is looked at ever more slowly.
    if (met && clock.monotonic() - opened >= STAYED_MS) [since, looks] = [clock.monotonic(), 0]
    if (signal.aborted) return
    const quick = clock.monotonic() - since < QUICK_FOR_MS
    const pause = quick ? (QUICK_MS[looks] ?? LONGEST_QUICK_MS) : SLOW_MS
    looks += 1
    await untilChange(control, pause, signal)
  }
}

/** A socket that appears is noticed at once where the system can tell; otherwise at the next look. */
async function untilChange({socket, clock, transport}: Control, pauseMs: number, signal: AbortSignal): Promise<void> {
  const woken = new AbortController()
  const stop = transport.watchFolder(socket, () => woken.abort())
  await clock.wait(pauseMs, AbortSignal.any([signal, woken.signal]))
  stop()
}
