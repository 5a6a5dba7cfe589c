import {textOf} from '../../../shared/base/json.ts'
import {admit} from '../../../shared/cursor/lane.ts'
import {entryOf} from '../../../shared/frames/prime-frame.ts'
import type {Numbered, PrimeMessage, PrimeReplaced} from '../../../shared/frames/prime-message.ts'
import {objectOf} from '../../../shared/frames/prime-snapshot.ts'
import {clip} from '../../../shared/frames/summary.ts'
import type {Activity} from '../../../shared/history/activity.ts'
import {compareSessions} from '../../../shared/sessions/session-key.ts'
import {type Talk, toldKey} from './talk-state.ts'
import {aside, type Reading, type Step, type Taken} from './talk-step.ts'

/** An event with a number. Only a new one tells anything. */
export function takeNumbered(
  talk: Talk,
  message: Exclude<PrimeMessage, {kind: 'malformed'}>,
  numbered: Numbered,
  reading: Reading,
): Taken {
  const entry = entryOf(message)
  if (numbered.activeSession !== talk.activeSessionId) return {entry: aside(entry), activities: [], steps: []}
  const {verdict, lane} = admit(talk.lane, numbered.cursor, false)
  talk.lane = lane
  if (verdict.decision === 'duplicate' || verdict.decision === 'stale') return {entry, activities: [], steps: []}
  talk.activeAt = reading.now
  const cut = verdict.decision === 'newGeneration' ? talk.activities.cut() : []
  return {entry, activities: [...cut, ...follow(talk, numbered, reading)], steps: closed(talk, numbered)}
}

/** What an event tells beside its number. */
function follow(talk: Talk, {type, data}: Numbered, {source, frame, at}: Reading): readonly Activity[] {
  const event = type === 'session_event' ? objectOf(data, 'event') : undefined
  if (event === undefined) return []
  talk.message.take(event)
  const what = textOf(event, 'type')
  if (what === 'agent_start') talk.facts = {...talk.facts, state: 'running'}
  if (what === 'agent_end') talk.facts = {...talk.facts, state: 'idle'}
  return talk.activities.take(event, {source, frame, at})
}

/** A daemon that closes says so first, and then says of each session that it was killed: the daemon's word wins. (Prime note, section 8.) */
function closed({closing}: Talk, {type, data}: Numbered): readonly Step[] {
  if (type !== 'session_closed') return []
  if (closing !== undefined) return [{kind: 'end', because: {kind: 'daemonClosing', reason: closing}}]
  return [{kind: 'end', because: {kind: 'sessionClosed', reason: clip(textOf(data, 'reason') ?? 'no reason given')}}]
}

/**
 * The replacement is the last event of the session that is replaced. Nothing on the wire tells a live one from one that was
 * caught up, and it may come twice: only a number that is new replaces anything.
 */
export function takeReplaced(talk: Talk, message: PrimeReplaced, reading: Reading): Taken {
  const before = talk.lane
  const taken = takeNumbered(talk, message, message, reading)
  const isNew = talk.lane !== before && message.activeSession === talk.activeSessionId
  const by = toldKey(message)
  // A name that is empty names nothing: it is not known to be another session.
  const isNamed = by.sessionId !== undefined || by.sessionFile !== undefined
  if (!isNew || !isNamed || compareSessions(talk.session, by) === 'same') return taken
  const state = objectOf(message.data, 'state') ?? {}
  const name = textOf(state, 'sessionName')
  const step: Step = {kind: 'replaced', by, lane: talk.lane, ...(name === undefined ? {} : {name})}
  return {...taken, activities: [...taken.activities, ...talk.activities.cut()], steps: [step]}
}
