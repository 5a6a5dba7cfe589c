import {present} from '../../../shared/base/present.ts'
import {ok} from '../../../shared/base/result.ts'
import {classifyPrimeLine} from '../../../shared/frames/classify-prime-line.ts'
import {problemSummary} from '../../../shared/frames/describe-problem.ts'
import type {PrimeMessage} from '../../../shared/frames/prime-message.ts'
import type {LineArrival} from '../../../shared/frames/raw-line.ts'
import {clip} from '../../../shared/frames/summary.ts'
import type {Activity} from '../../../shared/history/activity.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {JournaledFrame} from '../../../shared/history/fact.ts'
import {type SessionKey, sessionName} from '../../../shared/sessions/session-key.ts'
import type {SourceRecord} from '../../../shared/source/source.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {Backlog} from '../cursor-source/backlog.ts'
import {createJournal, type Entry} from '../cursor-source/journal.ts'
import type {SourceRun} from '../source-run.ts'
import {onlyStoreFailure} from '../store-failed.ts'
import {createTicker} from '../ticker.ts'
import {connectDaemon, type DaemonConnection} from './daemon-connection.ts'
import type {Place, PrimeRunDeps} from './prime-source.ts'
import {createSessionTalk, type SessionTalk} from './session-talk.ts'
import type {Successor} from './succession.ts'
import type {Reading, Step, Taken} from './talk-step.ts'

/** How the watching of a session on one connection ended. */
export type SessionEnd =
  | {readonly kind: 'stopped'}
  /** `livedMs` is 0 where the daemon never let us in. */
  | {readonly kind: 'over'; readonly because: Ending; readonly livedMs: number}

export interface WatchSessionDeps extends PrimeRunDeps {
  readonly backlog: Backlog
  /** Names who is told where the disk refuses what is handled behind the reading. */
  readonly onRefusal: (told: (because: Ending) => void) => void
}

/** One connection that watches one session, from its open to its end. When it returns, everything that was read is journaled or refused. */
export async function watchSession(
  run: SourceRun,
  deps: WatchSessionDeps,
  place: Place,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const own = new AbortController() // the connection may outlive this source: another one may go on with it
  const leave = (): void => own.abort()
  signal.addEventListener('abort', leave, {once: true})
  const {handed} = place
  const connected = handed === undefined ? await connectDaemon(deps.socket, deps, own.signal) : ok(handed)
  signal.removeEventListener('abort', leave)
  if (!connected.ok) return signal.aborted ? STOPPED : {kind: 'over', because: notThere(connected.error), livedMs: 0}
  return converse(run, deps, {place, connection: connected.value}, signal)
}

const STOPPED = {kind: 'stopped'} as const

function notThere(code: string): Ending {
  return {kind: 'noDaemon', code}
}

/** What one conversation holds on to. */
interface Conversation {
  readonly run: SourceRun
  readonly deps: WatchSessionDeps
  readonly connection: DaemonConnection
  readonly talk: SessionTalk
  openedAt: number | undefined
  /** What is kept of the session's name. */
  known: SessionKey
  successor: Successor | undefined
  /** What is to be kept of the connection, one after the other. */
  entering: Promise<void>
}

async function converse(
  run: SourceRun,
  deps: WatchSessionDeps,
  {place, connection}: {readonly place: Place; readonly connection: DaemonConnection},
  signal: AbortSignal,
): Promise<SessionEnd> {
  const {clock, backlog, daemon} = deps
  const over = new AbortController()
  const ended = Promise.withResolvers<Ending | undefined>()
  const talk = talkOf(run, deps, place)
  const begun = {openedAt: undefined, known: deps.session(), successor: undefined, entering: Promise.resolve()}
  const one: Conversation = {run, deps, talk, connection, ...begun}
  const finish = (because: Ending | undefined): void => {
    if (over.signal.aborted) return
    connection.listen(undefined)
    // Nobody listens any more, and the socket is never paused: what still came would only pile up until the disk is done.
    if (one.successor === undefined) connection.close()
    over.abort()
    ended.resolve(because)
  }
  deps.onRefusal(finish)
  const journal = createJournal(run, backlog, {...deps, onRefused: finish})
  const perform = (steps: readonly Step[]): void => performAll(one, steps, finish)
  const ticker = createTicker(clock, talk.nextDue, () => perform(talk.tick(clock.monotonic())), over.signal)
  if (place.handed !== undefined) perform([{kind: 'attached'}])
  connection.listen({
    onLine(arrival) {
      const message = messageOf(arrival)
      if (message.kind === 'blank') return // nothing was said, and a stream may bring millions
      const reading = {source: run.record.id, frame: deps.nextFrameId(), at: clock.now(), now: clock.monotonic()}
      const taken = talk.take(message, reading)
      // The session that goes on is named in the transaction that keeps what named it.
      journal.push(entryOf(arrival, message, taken, reading, succeeded(one, taken.steps)))
      learn(one)
      perform(taken.steps)
    },
    onBytes() {
      talk.heard(clock.monotonic())
      run.lastByteAt = clock.now()
      tellFacts(one)
      ticker.wake()
    },
    onEnd: (code) => finish(talk.endOf(code)),
  })
  learn(one)
  tellFacts(one) // of a connection that was handed over no byte may come for long
  const stop = (): void => finish(undefined)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, {once: true})
  const because = await ended.promise
  signal.removeEventListener('abort', stop)
  await ticker.over
  daemon.streaming(run.record.id, false)
  await close(one, await journal.flushed())
  if (because === undefined) return STOPPED
  return {kind: 'over', because, livedMs: one.openedAt === undefined ? 0 : clock.monotonic() - one.openedAt}
}

function talkOf(
  {record: {supervisor}, supervisorHeardAt}: SourceRun,
  deps: WatchSessionDeps,
  place: Place,
): SessionTalk {
  const {backlog, daemon, clock} = deps
  const session = deps.session()
  const found = daemon.find(session)
  return createSessionTalk({
    session,
    activeSessionId: place.activeSessionId,
    attached: place.handed !== undefined,
    lane: backlog.lane(),
    ...(found.kind === 'resident' ? {row: found.row} : {}),
    ...present({supervisor: place.supervisor ?? supervisor, supervisorHeardAt}),
    now: clock.monotonic(),
  })
}

/** What was under way is cut short, and whoever goes on with the connection gets it. */
async function close(one: Conversation, durable: boolean): Promise<void> {
  const {deps, run, talk, connection, successor} = one
  await one.entering
  const cut = talk.cut()
  run.session = talk.facts()
  if (talk.greeted()) run.supervisorHeardAt = run.lastByteAt
  if (cut.length > 0) await deps.commit(cut.map(activityChange)).catch(onlyStoreFailure)
  if (successor !== undefined && durable) successor.start(connection)
  else connection.close()
  deps.touched()
}

function performAll(one: Conversation, steps: readonly Step[], finish: (because: Ending) => void): void {
  const {deps, connection, talk} = one
  for (const step of steps) {
    switch (step.kind) {
      case 'send':
        talk.sent(connection.send(step.command), step.command, deps.clock.monotonic())
        break
      case 'attached':
        one.openedAt = deps.clock.monotonic()
        one.entering = one.entering.then(() => deps.overlay.enter({kind: 'opened'}))
        break
      case 'replaced':
        finish({
          kind: 'sessionReplaced',
          by: clip(sessionName(step.by)),
          ...present({removed: one.successor?.removed}),
        })
        break
      case 'end':
        finish(step.because)
        break
    }
  }
}

function succeeded(one: Conversation, steps: readonly Step[]): readonly Change[] {
  const replaced = steps.find((step) => step.kind === 'replaced')
  if (replaced === undefined) return []
  const {activeSessionId = ''} = one.talk.facts()
  one.successor = one.deps.succession.plan({
    ...replaced,
    socket: one.deps.socket,
    activeSessionId,
    ...present({supervisor: one.talk.supervisor()}),
  })
  return one.successor.changes
}

/** What was told of the session's name is kept: a later list may name it by another part. */
function learn(one: Conversation): void {
  const {run, deps, talk} = one
  const session = talk.session()
  if (session === one.known) return
  one.known = session
  const named = ({settings}: SourceRecord): Partial<SourceRecord> =>
    settings.kind === 'prime' ? {settings: {...settings, ...session}} : {}
  if (run.record.settings.kind === 'prime')
    one.entering = one.entering.then(() => deps.change(named)).then(() => {}, onlyStoreFailure)
}

function tellFacts({run, talk, deps}: Conversation): void {
  run.session = talk.facts()
  deps.daemon.streaming(run.record.id, talk.streaming())
  deps.touched()
}

function messageOf(arrival: LineArrival): PrimeMessage {
  if (arrival.kind === 'line') return classifyPrimeLine(arrival.line.text)
  return {kind: 'malformed', problem: {kind: 'tooLong', capBytes: arrival.capBytes}}
}

const NO_BYTES = {bytes: new Uint8Array(), cuts: []}

/** A line as it goes to the journal: with its bytes, unless they may hold the owner's token. */
function entryOf(
  arrival: LineArrival,
  message: PrimeMessage,
  {entry, context, activities, met}: Taken,
  {source, frame: id, at: receivedAt}: Reading,
  more: readonly Change[],
): Entry {
  const size = arrival.kind === 'line' ? arrival.line.bytes.length : arrival.capBytes
  const kept = arrival.kind === 'line' && !mayHoldToken(arrival, message) ? bytesOf(arrival) : NO_BYTES
  const greeted: Change[] = met === undefined ? [] : [{kind: 'supervisorMet', source, supervisor: met}]
  const alongside = [...activities.map(activityChange), ...greeted, ...more]
  const base = {id, source, receivedAt, size, ...kept}
  if ('problem' in entry) {
    const {problem} = entry
    const journaled: JournaledFrame = {...base, kind: 'malformed', event: '', summary: problemSummary(problem), problem}
    return {kind: 'malformed', journaled, alongside, problem}
  }
  const {kind, event, summary, frame} = entry
  const journaled: JournaledFrame = {...base, kind, event, summary, ...(context === undefined ? {} : {context})}
  return {kind: 'understood', journaled, alongside, frame}
}

function bytesOf({line: {bytes, cuts}}: Extract<LineArrival, {kind: 'line'}>) {
  return {bytes, cuts}
}

/** The daemon's hello, and whatever of it does not read. */
function mayHoldToken({line: {text}}: Extract<LineArrival, {kind: 'line'}>, {kind}: PrimeMessage): boolean {
  return kind === 'hello' || (kind === 'malformed' && text.includes('supervisorOwnerToken'))
}

function activityChange(activity: Activity): Change {
  return {kind: 'activityChanged', activity}
}
