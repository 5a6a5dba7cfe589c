import {type JsonObject, member, textOf} from '../base/json.ts'
import {ownText} from '../base/own-text.ts'
import type {EpochMs} from '../base/units.ts'
import {objectOf} from '../frames/prime-snapshot.ts'
import type {Activity, ActivityKind} from '../history/activity.ts'
import type {FrameId} from '../history/frame-id.ts'
import type {SourceId} from '../source/source.ts'

/** Where an event stands: the frame it came in, and when. */
export interface Told {
  readonly source: SourceId
  readonly frame: FrameId
  readonly at: EpochMs
}

/** Follows what an agent does that lasts, from the events that tell of its beginning and its end. */
export interface ActivityTracker {
  /** Returns what the event changed: at most one that ends, one that begins, and those that a new beginning shows to be over. */
  readonly take: (event: JsonObject, told: Told) => readonly Activity[]
  /** The stream was cut or resynced: how what was open ended was not seen. */
  readonly cut: () => readonly Activity[]
}

/** Open ones that are remembered. Beyond it the oldest are given up as not seen: a stream may begin things for ever. */
const REMEMBERED = 500
const LABEL = 200
/** The length that an id of a call has at most; what is longer is no id. */
const CALL = 1_000

export function createActivityTracker(): ActivityTracker {
  const running = new Map<string, Activity>()

  const begin = (moment: Moment, told: Told): readonly Activity[] => {
    const {key, kind, label} = moment
    const before = running.get(key)
    if (before !== undefined && kind === 'retry') return [] // one try after another, until one end
    running.delete(key)
    const begun: Activity = {source: told.source, frame: told.frame, kind, label, startedAt: told.at, state: 'open'}
    running.set(key, begun)
    return [...(before === undefined ? [] : [unseen(before)]), begun, ...forgotten(running)]
  }
  const end = (moment: Moment, told: Told): readonly Activity[] => {
    const {key, kind, label, how} = moment
    const begun = running.get(key)
    running.delete(key)
    const over = {endedAt: told.at, endFrame: told.frame, state: how} as const
    if (begun !== undefined) return [{...begun, ...over}]
    return [{source: told.source, frame: told.frame, kind, label, ...over}] // its beginning was not seen
  }

  return {
    take(event, told) {
      const moment = momentOf(event)
      if (moment === undefined) return []
      return moment.edge === 'begin' ? begin(moment, told) : end(moment, told)
    },
    cut() {
      const cut = [...running.values()].map(unseen)
      running.clear()
      return cut
    },
  }
}

function forgotten(running: Map<string, Activity>): readonly Activity[] {
  const [oldest] = running
  if (running.size <= REMEMBERED || oldest === undefined) return []
  running.delete(oldest[0])
  return [unseen(oldest[1])]
}

/** Its end was not seen: whether it ended is not known. */
export function unseen(activity: Activity): Activity {
  return {...activity, state: 'notSeen'}
}

interface Moment {
  readonly edge: 'begin' | 'end'
  /** Pairs a beginning with its end: parallel tools may end out of order. */
  readonly key: string
  readonly kind: ActivityKind
  readonly label: string
  /** What its end says of it; a beginning says nothing yet. */
  readonly how: Ending
}

/** The events that come in pairs. (Prime note, section 8.) */
const PAIRS: {readonly [event: string]: readonly [kind: ActivityKind, edge: Moment['edge']]} = {
  turn_start: ['turn', 'begin'],
  turn_end: ['turn', 'end'],
  message_start: ['message', 'begin'],
  message_end: ['message', 'end'],
  tool_execution_start: ['tool', 'begin'],
  tool_execution_end: ['tool', 'end'],
  bash_start: ['bash', 'begin'],
  bash_end: ['bash', 'end'],
  compaction_start: ['compaction', 'begin'],
  compaction_end: ['compaction', 'end'],
  auto_retry_start: ['retry', 'begin'],
  auto_retry_end: ['retry', 'end'],
}

function momentOf(event: JsonObject): Moment | undefined {
  const type = textOf(event, 'type') ?? ''
  const pair = Object.hasOwn(PAIRS, type) ? PAIRS[type] : undefined
  if (pair === undefined) return undefined
  const [kind, edge] = pair
  const call = kind === 'tool' ? (textOf(event, 'toolCallId') ?? '').slice(0, CALL) : ''
  const label = ownText(labelOf(kind, event).slice(0, LABEL))
  return {edge, kind, key: ownText(`${kind} ${call}`), label, how: endingOf(event)}
}

function labelOf(kind: ActivityKind, event: JsonObject): string {
  const message = objectOf(event, 'message')
  const named = {
    turn: undefined,
    message: message === undefined ? undefined : textOf(message, 'role'),
    tool: textOf(event, 'toolName'),
    bash: textOf(event, 'command'),
    compaction: textOf(event, 'reason'),
    retry: textOf(event, 'errorMessage'),
  }[kind]
  return named ?? kind
}

type Ending = Extract<Activity['state'], 'ended' | 'aborted' | 'failed'>

/** As sent. Whoever aborts something ends it, and it did not fail: also where a killed command has an exit code beside it. */
function endingOf(event: JsonObject): Ending {
  const stop = textOf(objectOf(event, 'message') ?? {}, 'stopReason')
  if (stop === 'aborted' || member(event, 'aborted') === true || member(event, 'cancelled') === true) return 'aborted'
  const exit = member(event, 'exitCode')
  const failed =
    stop === 'error' ||
    member(event, 'isError') === true ||
    member(event, 'success') === false ||
    (typeof exit === 'number' && exit !== 0)
  return failed ? 'failed' : 'ended'
}
