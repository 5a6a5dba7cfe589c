import type {ClientRecord} from '../../../../demo/prime/client-record.ts'
import type {ConnectionId, Output} from '../../../../demo/prime/daemon-state.ts'
import type {PrimeAction} from '../../../../demo/prime/scenario.ts'
import {createStage} from '../../../../demo/prime/stage.ts'
import type {PrimePlan} from '../plan.ts'
import type {Schedule} from '../schedule.ts'
import {createServerAlarm} from '../server-alarm.ts'
import type {Place} from './read-line.ts'

/** The server's end of one socket. */
export interface ServerEnd {
  readonly write: (bytes: Uint8Array) => void
  /** The kernel takes no line whole just now: an event is then left out, and made up for later. */
  readonly isFull: () => boolean
  readonly end: () => void
}

/** The demo's daemon in simulated time: its own state machine, and its outputs put on sockets. */
export interface DaemonServer {
  readonly door: () => 'open' | 'stale' | 'gone'
  /** Told when the socket file comes or goes. Returns its own undo. */
  readonly watchDoor: (onChange: () => void) => () => void
  readonly connect: (end: ServerEnd) => ConnectionId
  readonly received: (connection: ConnectionId, line: string) => void
  readonly drained: (connection: ConnectionId) => void
  readonly gone: (connection: ConnectionId) => void
  /** Does one thing, where there is anybody who could. */
  readonly act: (action: PrimeAction) => void
  /** An earlier event once more, to whoever hears the session now. */
  readonly sayAgain: (which: number) => void
  /** Mends what is amiss with the session, and lets something happen in it. */
  readonly mark: () => void
  /** It was marked, and the mark is an event of the session. */
  readonly marked: () => boolean
  readonly sessionId: string
  /** Where the session stands; `undefined`: it is not resident as itself. */
  readonly standsAt: () => Place | undefined
  readonly record: () => readonly ClientRecord[]
}

/** The session that is watched, as the daemon's scenario calls it, and its name. */
export const SESSION = 'watched'
export const SESSION_NAME = 'main'

const STARTED_AT = 1_764_000_000_000

interface Parts {
  readonly schedule: Schedule
  readonly plan: PrimePlan
  readonly onOutput: (output: Output) => void
}

export function createDaemonServer({schedule, plan, onOutput}: Parts): DaemonServer {
  const stage = stageOf(plan)
  const ends = new Map<ConnectionId, ServerEnd>()
  const watchers = new Set<() => void>()
  const {sessionId} = stage.namesOf(SESSION)
  const said: Said[] = []
  const hearers = new Map<ConnectionId, string>()
  let last = 0
  let isMarked = false
  let isDead = false
  let door: 'open' | 'stale' | 'gone' = 'open'

  const openDoor = (now: typeof door): void => {
    door = now
    for (const told of watchers) told()
  }
  const wake = createServerAlarm(
    schedule,
    () => stage.nextDue(schedule.now()),
    () => perform(stage.tick(schedule.now())),
  )

  function perform(outputs: readonly Output[]): void {
    for (const output of outputs) {
      onOutput(output)
      carry(output)
    }
    wake()
  }
  function carry(output: Output): void {
    if (output.kind === 'listen') return openDoor('open')
    if (output.kind === 'unlisten') return openDoor(output.stale ? 'stale' : 'gone')
    const end = ends.get(output.connection)
    if (output.kind === 'event') {
      said.push(output)
      hearers.set(output.connection, output.activeId)
    }
    if (output.kind === 'event' && end?.isFull() === true) return stage.dropped(output.connection, output.activeId)
    if (output.kind !== 'end') return end?.write(Buffer.from(output.text))
    end?.end()
    ends.delete(output.connection)
  }
  const act = (action: PrimeAction): boolean => {
    // Where there is no worker nothing is said in its session; the machine knows it only of what an agent does.
    if (isDead && SPOKEN.has(action.kind)) return false
    if (action.kind === 'crash') isDead = true
    if (action.kind === 'reopen' || action.kind === 'shutdown') isDead = false
    const outputs = attempt(() => stage.act(schedule.now(), action))
    if (outputs !== undefined) perform(outputs)
    return outputs !== undefined
  }

  return {
    sessionId,
    door: () => door,
    watchDoor(onChange) {
      watchers.add(onChange)
      return () => void watchers.delete(onChange)
    },
    connect(end) {
      last += 1
      ends.set(last, end)
      perform(stage.connected(schedule.now(), last))
      return last
    },
    received: (connection, line) => perform(stage.received(schedule.now(), connection, line)),
    drained: (connection) => perform(stage.drained(schedule.now(), connection)),
    gone(connection) {
      ends.delete(connection)
      stage.closed(schedule.now(), connection)
      wake()
    },
    act,
    sayAgain(which) {
      const earlier = said[which % Math.max(1, said.length)]
      const now = attempt(() => stage.namesOf(SESSION).activeSessionId)
      if (earlier === undefined || now === undefined) return
      const text = Buffer.from(earlier.text.replaceAll(earlier.activeId, now))
      for (const [connection, activeId] of hearers) if (activeId === now) ends.get(connection)?.write(text)
    },
    mark() {
      if (attempt(() => stage.namesOf(SESSION)) === undefined || !act(MARK)) act({kind: 'reopen', on: SESSION})
      if (attempt(() => stage.namesOf(SESSION))?.sessionId !== sessionId)
        act({kind: 'replace', on: SESSION, name: SESSION_NAME})
      isMarked ||= act(MARK)
    },
    marked: () => isMarked,
    standsAt() {
      const names = attempt(() => stage.namesOf(SESSION))
      if (names === undefined || names.sessionId !== sessionId) return undefined
      return {generation: names.generation, sequence: names.sequence}
    },
    record: stage.record,
  }
}

type Said = Pick<Extract<Output, {kind: 'event'}>, 'activeId' | 'text'>

const SPOKEN = new Set<PrimeAction['kind']>(['status', 'badLine', 'askUser', 'replace'])

const MARK: PrimeAction = {kind: 'status', on: SESSION, recap: 'all is well'}

function stageOf({name, transcript}: PrimePlan) {
  const session = {key: SESSION, name: SESSION_NAME, cwd: '/srv', transcript}
  return createStage({
    scenario: {name, about: 'simulated', sessions: [session], steps: []},
    socketPath: `/${name}`,
    run: name,
    epochOffset: STARTED_AT,
    startedAt: STARTED_AT,
  })
}

/** What nobody is there to do does not happen: the machine says so by throwing, before it changes anything. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
