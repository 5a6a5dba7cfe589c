import {present} from '../../../shared/base/present.ts'
import type {PrimeDaemon} from '../../../shared/contract/rows.ts'
import {classifyPrimeLine} from '../../../shared/frames/classify-prime-line.ts'
import type {PrimeHello, PrimeMessage, PrimeResponse} from '../../../shared/frames/prime-message.ts'
import {clip} from '../../../shared/frames/summary.ts'
import {type SessionRow, sessionRowsOf} from '../../../shared/sessions/session-row.ts'
import type {Clock} from '../clock.ts'
import {createTicker} from '../ticker.ts'
import {connectDaemon, type DaemonConnection} from './daemon-connection.ts'
import {unsupported} from './judge-hello.ts'
import {HELLO_MS} from './talk-turns.ts'
import type {SocketTransport} from './transport.ts'

/** What is known of a daemon. */
export interface Told {
  readonly view: PrimeDaemon
  readonly rows: readonly SessionRow[]
  /** The rows are not known to hold any longer. */
  readonly stale: boolean
}

/** What a control connection has in common with those before and after it. */
export interface Control {
  readonly socket: string
  readonly transport: SocketTransport
  readonly clock: Clock
  readonly told: () => Told
  readonly tell: (news: Partial<Told>) => void
  /** No watched session is answering. */
  readonly mayList: () => boolean
  /** Asks the daemon that is connected for its list; absent while none is. */
  ask: ((when: 'now' | 'soon') => Promise<void>) | undefined
}

/** A list disturbs what clients of a streaming session see, so it is rare. In ms. (Prime note, section 9.) */
const LIST_EVERY_MS = 30_000
const LIST_WHILE_RUNNING_MS = 120_000
/** What hints at a change comes in bursts. */
const LIST_SOON_MS = 1_000
/** A hung worker delays a list by 10 s. */
const ANSWER_MS = 20_000
/** After so many lists without an answer another connection is asked. */
const UNANSWERED = 2

interface Asking {
  readonly control: Control
  readonly connection: DaemonConnection
  readonly startedAt: number
  greeted: boolean
  /** Another protocol: nothing is ever sent. */
  mute: boolean
  /** The list that is not answered yet. */
  open: {readonly id: string; readonly at: number} | undefined
  /** Lists in a row that had no answer. */
  unanswered: number
  listedAt: number
  soonAt: number | undefined
  /** Those who wait for the next answer, or for that none can come any more. */
  readonly listed: Set<() => void>
}

/** One control connection, from its open to its end. Returns whether a daemon answered. */
export async function askForSessions(control: Control, signal: AbortSignal): Promise<boolean> {
  const {clock} = control
  const own = new AbortController()
  const ended = AbortSignal.any([signal, own.signal])
  const opened = await connectDaemon(control.socket, control, ended)
  if (!opened.ok) {
    if (!signal.aborted) tellAbsent(control, opened.error)
    return false
  }
  const asking = startAsking(control, opened.value)
  const ticker = createTicker(
    clock,
    () => nextDue(asking),
    () => tick(asking, () => own.abort()),
    ended,
  )
  control.ask = (when) => {
    const answered = askFor(asking, when)
    ticker.wake()
    return answered
  }
  opened.value.listen({
    onLine(arrival) {
      if (arrival.kind === 'line') hear(asking, classifyPrimeLine(arrival.line.text))
      ticker.wake()
    },
    onBytes: () => {},
    onEnd: () => own.abort(),
  })
  await ticker.over
  control.ask = undefined
  opened.value.close()
  release(asking)
  if (!signal.aborted) control.tell({stale: true, view: {...control.told().view, state: 'looking'}})
  return asking.greeted
}

function startAsking(control: Control, connection: DaemonConnection): Asking {
  return {
    control,
    connection,
    startedAt: control.clock.monotonic(),
    greeted: false,
    mute: false,
    open: undefined,
    unanswered: 0,
    listedAt: Number.NEGATIVE_INFINITY,
    soonAt: undefined,
    listed: new Set(),
  }
}

/** ENOENT: nothing there. ECONNREFUSED: a socket file that nobody answers. (Prime note, section 1.) */
function tellAbsent({socket, tell, told}: Control, code: string): void {
  const state = code === 'ENOENT' ? 'absent' : code === 'ECONNREFUSED' ? 'stale' : 'failed'
  const {view} = told()
  if (view.state === state && view.detail === code) return
  tell({view: {socket, state, detail: code, sessions: []}, rows: [], stale: true})
}

function hear(asking: Asking, message: PrimeMessage): void {
  if (message.kind === 'hello' && (!asking.greeted || unsupported(message) !== undefined)) greet(asking, message)
  else if (message.kind === 'heartbeatsChanged') void askFor(asking, 'soon')
  else if (message.kind === 'response' && message.id === asking.open?.id) takeList(asking, message)
}

function greet(asking: Asking, hello: PrimeHello): void {
  const {control} = asking
  const {socket} = control
  asking.greeted = true
  const other = unsupported(hello)
  asking.mute = other !== undefined
  const {appVersion, supervisorGeneration} = hello
  const about = present({
    appVersion: appVersion === undefined ? undefined : clip(appVersion),
    supervisorGeneration: supervisorGeneration === undefined ? undefined : clip(supervisorGeneration),
  })
  if (other !== undefined)
    return control.tell({view: {socket, state: 'unsupported', detail: other, sessions: [], ...about}, rows: []})
  const {sessions, listedAt} = control.told().view
  const known = present({socket, state: 'connected' as const, sessions, listedAt, ...about})
  control.tell({view: known, stale: true})
  asking.soonAt = control.clock.monotonic()
}

function takeList(asking: Asking, {success, data}: PrimeResponse): void {
  const {control} = asking
  const {clock, told, tell} = control
  asking.open = undefined
  asking.unanswered = 0
  asking.listedAt = clock.monotonic()
  if (success && data !== undefined) {
    const rows = sessionRowsOf(data)
    tell({view: {...told().view, sessions: rows.flatMap(shown), listedAt: clock.now()}, rows, stale: false})
  }
  release(asking)
}

function release({listed}: Asking): void {
  for (const resolve of listed) resolve()
  listed.clear()
}

/** Rows without an activation are transcripts. */
function shown({activity: _, activeSessionId, ...row}: SessionRow): PrimeDaemon['sessions'][number][] {
  return activeSessionId === undefined ? [] : [{...row, activeSessionId}]
}

async function askFor(asking: Asking, when: 'now' | 'soon'): Promise<void> {
  const now = asking.control.clock.monotonic()
  const due = when === 'now' ? now : now + LIST_SOON_MS
  asking.soonAt = Math.min(asking.soonAt ?? due, due)
  if (when === 'now' && asking.greeted && !asking.mute)
    await new Promise<void>((resolve) => asking.listed.add(() => resolve()))
}

function nextDue(asking: Asking): number {
  const {greeted, mute, startedAt, open} = asking
  if (!greeted) return startedAt + HELLO_MS
  if (mute) return Number.POSITIVE_INFINITY
  return open === undefined ? listDue(asking) : open.at + ANSWER_MS
}

function listDue({listedAt, soonAt = Number.POSITIVE_INFINITY, control}: Asking): number {
  const running = control.told().rows.some(({state}) => state === 'running')
  const every = running ? LIST_WHILE_RUNNING_MS : LIST_EVERY_MS
  return Math.min(soonAt, control.mayList() ? listedAt + every : Number.POSITIVE_INFINITY)
}

function tick(asking: Asking, hangUp: () => void): void {
  const {control, connection} = asking
  const now = control.clock.monotonic()
  if (!asking.greeted) return hangUp() // whoever listens there is no daemon, or one that hangs
  if (asking.open !== undefined) {
    asking.open = undefined
    asking.listedAt = now
    asking.unanswered += 1
    if (asking.unanswered >= UNANSWERED) hangUp() // it may not know of this connection any more
    return release(asking) // a hung daemon may never answer, and whoever waits is told what is known
  }
  asking.soonAt = undefined
  asking.open = {id: connection.send({type: 'list'}), at: now}
}
