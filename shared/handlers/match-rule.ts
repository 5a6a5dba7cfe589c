import {isJsonObject, member, textOf} from '../base/json.ts'
import type {Settlement} from '../callbacks/held.ts'
import type {Frame} from '../frames/frame.ts'
import type {ChosenOutcome, HandlerRule} from './handler.ts'

/** What a rule looks at. Nothing in it is of one wire. */
export interface RuleSubject {
  /** The frame's name, and its type where it has one. */
  readonly names: readonly string[]
  /** Rooms that it moves, names, or is drawn on. */
  readonly rooms: readonly string[]
  /** As sent; absent where it was not sent as a truth value. */
  readonly addressed?: boolean
  readonly outcome: ChosenOutcome
}

/** `undefined` for what no handler ever runs for: what needs no callback, but for frames that are discarded. */
export function subjectOf(frame: Frame, settlement: Settlement): RuleSubject | undefined {
  const outcome = chosenOutcome(settlement)
  if (outcome === undefined) return undefined
  const addressed = addressedOf(frame)
  return {
    names: frame.kind === 'event' ? [frame.event, frame.type] : [frame.event],
    rooms: roomsOf(frame, settlement),
    ...(addressed === undefined ? {} : {addressed}),
    outcome,
  }
}

export function matches(rule: HandlerRule, subject: RuleSubject): boolean {
  const {rooms, events, addressed, outcomes} = rule
  if (outcomes === undefined ? subject.outcome === 'discarded' : !outcomes.includes(subject.outcome)) return false
  if (rooms !== undefined && !rooms.some((room) => subject.rooms.includes(room))) return false
  if (events !== undefined && !events.some((name) => subject.names.includes(name))) return false
  return addressed === undefined || addressed === subject.addressed
}

function chosenOutcome({callback, outcome, gap}: Settlement): ChosenOutcome | undefined {
  if (callback !== undefined) return gap?.outcome ?? 'handled'
  return outcome === 'discarded' ? 'discarded' : undefined
}

/** By coordinate where the server numbers rooms; older ones only name them. */
function roomsOf(frame: Frame, {place, steps}: Settlement): readonly string[] {
  const coordinates = [...(place.lane === undefined ? [] : [place.lane]), ...steps.map(({key}) => key)]
  const named = textOf(frame.data, 'room_id')
  return [
    ...coordinates.flatMap((key) => (key.startsWith(ROOM) ? [key.slice(ROOM.length)] : [])),
    ...(named === undefined ? [] : [named]),
    ...(frame.kind === 'gap' ? (frame.said.rooms ?? []) : []),
  ]
}

const ROOM = 'r:'

/** The server's decision stands in the payload of an event, or beside it. It is never worked out here. */
function addressedOf({data}: Frame): boolean | undefined {
  const payload = member(data, 'payload')
  const sent = (isJsonObject(payload) ? member(payload, 'addressed') : undefined) ?? member(data, 'addressed')
  return typeof sent === 'boolean' ? sent : undefined
}
