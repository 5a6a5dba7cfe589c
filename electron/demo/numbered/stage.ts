import {assertNever} from '../../../shared/base/assert-never.ts'
import type {JsonObject} from '../../../shared/base/json.ts'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {createPlay, type PlayStatus} from '../play.ts'
import {badText} from './bad-message.ts'
import {compareCursors, type NumberedCursor} from './cursor.ts'
import {createNumberedLog, type Entry, type NumberedLog} from './numbered-log.ts'
import {type CursorPlace, messageOf} from './render.ts'
import {type FuturePolicy, futureCursor, type Refusal, type ResumeAsk} from './resume-ask.ts'
import type {NumberedAction, NumberedScenario} from './scenario.ts'

/** One reader's connection, named by whoever carries it. */
export type ReaderId = number

export type Output =
  /** Durable before anybody is sent it. */
  | {readonly kind: 'store'; readonly entry: Entry}
  | {readonly kind: 'send'; readonly reader: ReaderId; readonly entry: Entry; readonly text: string}
  /** Text that is no message of the log. */
  | {readonly kind: 'raw'; readonly reader: ReaderId; readonly text: string}
  /** The next `send` to it ends after so many bytes, and the connection with it. */
  | {readonly kind: 'cutNext'; readonly reader: ReaderId; readonly atByte: number}
  | {readonly kind: 'end'; readonly reader: ReaderId}
  /** The store is emptied. */
  | {readonly kind: 'forget'}

export interface StageSetup {
  readonly scenario: NumberedScenario
  /** What the store holds. */
  readonly stored: readonly Entry[]
  readonly future: FuturePolicy
  readonly place: CursorPlace
  readonly speed?: number
  readonly epochOffset: number
}

/** A server of the documented model, as a machine without clock, socket or disk. */
export interface Stage {
  readonly open: (reader: ReaderId, ask: ResumeAsk) => Result<readonly Output[], Refusal>
  readonly closed: (reader: ReaderId) => void
  readonly act: (now: number, action: NumberedAction) => readonly Output[]
  readonly tick: (now: number) => readonly Output[]
  readonly nextDue: (now: number) => number
  readonly status: () => PlayStatus
  readonly head: () => NumberedCursor | undefined
}

interface State {
  readonly setup: StageSetup
  log: NumberedLog
  /** By reader: what it has, or will have passed before it gets anything. */
  readonly readers: Map<ReaderId, NumberedCursor | undefined>
  opens: number
}

/** Acts that are due at one instant; more are a scenario that takes no time. */
const ACTS_AT_ONCE = 10_000

export function createStage(setup: StageSetup): Stage {
  const {scenario, stored, speed = 1} = setup
  const log = createNumberedLog(stored, scenario.firstGeneration ?? 1)
  const state: State = {setup, log, readers: new Map(), opens: 0}
  const play = createPlay(scenario, speed)
  const status = (): PlayStatus => ({attached: state.readers.size, caughtUp: true, opens: state.opens})

  const advance = (now: number): readonly Output[] => {
    const outputs = begin(state, now)
    for (let acts = 0; acts < ACTS_AT_ONCE; acts++) {
      const action = play.next(now, status())
      if (action === undefined) return outputs
      outputs.push(...act(state, now, action))
      play.done(status())
    }
    throw new Error(`${scenario.name} acts without end at one instant`)
  }

  return {
    status,
    open: (reader, ask) => open(state, reader, ask),
    closed: (reader) => state.readers.delete(reader),
    act: (now, action) => [...begin(state, now), ...act(state, now, action)],
    tick: advance,
    nextDue: (now) => (state.log.head() === undefined ? now : play.nextDue(now, status())),
    head: () => state.log.head(),
  }
}

/** A numbering begins with a snapshot, so that no reader meets a server without a place in it. */
function begin(state: State, now: number): Output[] {
  return state.log.head() === undefined ? [...snapshot(state, now, 'start')] : []
}

function open(state: State, reader: ReaderId, ask: ResumeAsk): Result<readonly Output[], Refusal> {
  const head = state.log.head()
  const asked = ask.from === 'head' ? head : ask.from
  const ahead = asked !== undefined && (head === undefined || compareCursors(asked, head) > 0)
  const policy = ask.future ?? state.setup.future
  if (ahead && policy === 'fail') return err(futureCursor(asked, head ?? {generation: 0, sequence: 0}))
  const from = ahead && policy === 'all' ? undefined : asked
  state.readers.set(reader, from)
  state.opens += 1
  return ok(state.log.after(from).flatMap((entry) => offer(state, reader, entry)))
}

/** Strictly greater than what it has, or it is not for this reader. */
function offer({setup, readers}: State, reader: ReaderId, entry: Entry): readonly Output[] {
  const has = readers.get(reader)
  if (has !== undefined && compareCursors(entry.cursor, has) <= 0) return []
  readers.set(reader, entry.cursor)
  return [{kind: 'send', reader, entry, text: JSON.stringify(messageOf(entry, setup.place))}]
}

function act(state: State, now: number, action: NumberedAction): readonly Output[] {
  const {log, readers} = state
  switch (action.kind) {
    case 'event':
      return tell(state, log.append({event: action.event}, isoOf(state, now)))
    case 'burst':
      return Array.from({length: action.count}, (_, n) => ({...action.event, n})).flatMap((event) =>
        tell(state, log.append({event}, isoOf(state, now))),
      )
    case 'snapshot':
      return snapshot(state, now, action.reason)
    case 'skip':
      log.skip(action.events)
      return []
    case 'skipGenerations':
      log.skipGenerations(action.count)
      return []
    case 'restart':
      return restart(state, now, action.store)
    case 'hangUp':
      return hangUp(state)
    case 'cut':
      return [...readers.keys()].map((reader) => ({kind: 'cutNext', reader, atByte: action.atByte}))
    case 'bad': {
      const text = badText(log.entries(), action.what, state.setup.place)
      return [...readers.keys()].map((reader) => ({kind: 'raw', reader, text}))
    }
    default:
      return assertNever(action)
  }
}

function snapshot(state: State, now: number, reason: string): readonly Output[] {
  const {log} = state
  const events = log.entries().filter(({type}) => type === 'event').length
  const body: JsonObject = {reason, state: {events}}
  return tell(state, log.snapshot(body, isoOf(state, now)))
}

function tell(state: State, entry: Entry): readonly Output[] {
  return [{kind: 'store', entry}, ...[...state.readers.keys()].flatMap((reader) => offer(state, reader, entry))]
}

/** What the store holds is all that a new process knows. Without one it counts from generation 1. */
function restart(state: State, now: number, store: 'kept' | 'lost'): readonly Output[] {
  const ends = hangUp(state)
  if (store === 'kept') {
    state.log = createNumberedLog(state.log.entries(), 1)
    return ends
  }
  state.log = createNumberedLog([], 1)
  return [...ends, {kind: 'forget'}, ...begin(state, now)]
}

function hangUp({readers}: State): readonly Output[] {
  const ends = [...readers.keys()].map((reader): Output => ({kind: 'end', reader}))
  readers.clear()
  return ends
}

function isoOf({setup}: State, now: number): string {
  return new Date(Math.round(now + setup.epochOffset)).toISOString()
}
