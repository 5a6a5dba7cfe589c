import {type JsonObject, textOf} from '../../../shared/base/json.ts'
import {present} from '../../../shared/base/present.ts'
import {epochMs} from '../../../shared/base/units.ts'
import type {SessionFacts} from '../../../shared/contract/rows.ts'
import {parseCursor} from '../../../shared/cursor/cursor.ts'
import {laneOfGeneration} from '../../../shared/cursor/cursor-position.ts'
import {adopt} from '../../../shared/cursor/lane.ts'
import {entryOf, replacedSupervisor} from '../../../shared/frames/prime-frame.ts'
import type {PrimeHello, PrimeResponse} from '../../../shared/frames/prime-message.ts'
import {objectOf} from '../../../shared/frames/prime-snapshot.ts'
import {clip} from '../../../shared/frames/summary.ts'
import {sessionRowOf} from '../../../shared/sessions/session-row.ts'
import type {Supervisor} from '../../../shared/sessions/supervisor.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import {unsupported} from './judge-hello.ts'
import {adopted, askAgain, elsewhere, SNAPSHOT_MS} from './talk-snapshots.ts'
import {factsOfRow, hearName, isOfAnother, type Talk, toldKey} from './talk-state.ts'
import type {Reading, Step, Taken} from './talk-step.ts'

/** A supervisor that takes workers over says hello late: 1.25 s were seen. In ms. */
export const HELLO_MS = 10_000
/** The stock client waits so long for an answer, in ms. */
const ANSWER_MS = 30_000
/** A crashed worker says nothing: a session that is silent for so long is asked about, in ms. */
export const SILENT_MS = 30_000
/** A session in which nothing happens is left after so long, in ms: whoever stays attached keeps its worker alive. */
export const IDLE_MS = 15 * 60_000
/** A snapshot is asked for anew so often in a row. */
const ATTEMPTS = 5

export function takeHello(talk: Talk, hello: PrimeHello, reading: Reading): Taken {
  const met = meetSupervisor(talk, hello, reading)
  const entry = met?.after === undefined ? entryOf(hello) : replacedSupervisor(hello)
  return {entry, activities: [], steps: stepsAfterHello(talk, hello), ...present({met})}
}

function stepsAfterHello(talk: Talk, hello: PrimeHello): readonly Step[] {
  const other = unsupported(hello)
  if (other !== undefined) return end({kind: 'unsupportedDaemon', detail: other})
  if (talk.greeted) return []
  talk.greeted = true
  return [{kind: 'send', command: {type: 'attach', activeSessionId: talk.activeSessionId}}]
}

/** One that took another's place resets nothing: workers, generations and numbers go on. (Prime note, section 3.) */
function meetSupervisor(talk: Talk, {supervisorGeneration}: PrimeHello, {at}: Reading): Supervisor | undefined {
  if (supervisorGeneration === undefined) return undefined
  const generation = clip(supervisorGeneration)
  const {supervisor: before, supervisorHeardAt} = talk
  if (before?.generation === generation) return undefined
  const heardAt = Math.max(before?.metAt ?? 0, supervisorHeardAt ?? 0)
  const after = before === undefined ? undefined : epochMs(Math.min(heardAt, at)) // a clock may have been set back
  const met = present({generation, metAt: at, after})
  talk.supervisor = met
  talk.facts = {...talk.facts, supervisor: met}
  return met
}

export function takeResponse(talk: Talk, response: PrimeResponse, reading: Reading): Taken {
  const entry = entryOf(response)
  const {id = '', success, data} = response
  const asked = talk.asked.get(id)
  talk.asked.delete(id)
  if (asked === undefined) return {entry, activities: [], steps: []}
  if (!success || data === undefined)
    return {entry, activities: [], steps: [{kind: 'end', because: refusalOf(asked.what, response.error)}]}
  if (asked.what === 'attach') return takeAttached(talk, response, data, reading)
  const row = sessionRowOf(data)
  if (row !== undefined && !isOfAnother(talk, row)) {
    hearName(talk, row)
    talk.facts = {...talk.facts, ...factsOfRow(row)}
  }
  const failed = row?.state === 'failed' ? [goneStep('failed')] : []
  return {entry, activities: [], steps: failed}
}

function goneStep(detail: string): Step {
  return {kind: 'end', because: {kind: 'workerGone', detail}}
}

/** There are no codes for these: the words are matched leniently. (Prime note, section 4.) */
function refusalOf(what: string, said = 'no reason given'): Ending {
  const error = clip(said)
  if (/worker is failed/i.test(error)) return {kind: 'workerGone', detail: error}
  if (/unknown active session/i.test(error)) return {kind: 'notResident'}
  return {kind: 'attachFailed', detail: `${what}: ${error}`}
}

function takeAttached(talk: Talk, response: PrimeResponse, data: JsonObject, reading: Reading): Taken {
  const entry = entryOf(response)
  const head = response.snapshot
  if (head !== undefined && isOfAnother(talk, toldKey(head))) return elsewhere(talk, entry, toldKey(head))
  hearName(talk, toldKey(head ?? {}))
  talk.activeSessionId = textOf(data, 'activeSessionId') ?? talk.activeSessionId
  const first = !talk.attached
  talk.attached = true
  talk.snapshotDue = reading.now + SNAPSHOT_MS
  talk.said = clip(textOf(objectOf(data, 'replay') ?? {}, 'status') ?? 'nothing')
  talk.facts = {...talk.facts, activeSessionId: talk.activeSessionId, replay: replayOf(talk, data, reading)}
  const steps: readonly Step[] = first ? [{kind: 'attached'}] : []
  if (head?.inline !== true || head.cursor === undefined) return {entry, activities: [], steps}
  const said = `attach snapshot in one line, up to ${head.cursor.sequence}`
  const whole = {entry, said, snapshot: objectOf(data, 'snapshot') ?? {}, cursor: head.cursor, purpose: 'attach'}
  return {...adopted(talk, whole, reading), steps}
}

/** What the server says of the replay, beside what we hold. "complete" does not mean that nothing was missed. */
function replayOf({said = '', lane}: Talk, data: JsonObject, {at}: Reading): SessionFacts['replay'] {
  const server = parseCursor(data['lastEventCursor'])
  const verdict = server === undefined ? undefined : adopt(lane, server, false).verdict
  const missing = verdict !== undefined && 'missing' in verdict ? (verdict.missing ?? 0) : 0
  const place = (cursor: typeof server) =>
    cursor === undefined ? undefined : {lane: laneOfGeneration(cursor.generation), sequence: cursor.sequence}
  const [own, last] = [place(lane.held), place(server)]
  return {at, said, ...(own === undefined ? {} : {own}), ...(last === undefined ? {} : {server: last}), missing}
}

export function nextDueOf(talk: Talk): number {
  const {startedAt, greeted, attached, asked, snapshotDue, attachAgainAt, heardAt, activeAt, facts} = talk
  const dues = [...asked.values()].map(({at}) => at + ANSWER_MS)
  if (!greeted) dues.push(startedAt + HELLO_MS)
  if (snapshotDue !== undefined) dues.push(snapshotDue)
  if (attachAgainAt !== undefined) dues.push(attachAgainAt)
  if (attached && asked.size === 0) dues.push(heardAt + SILENT_MS)
  if (attached && facts.state !== 'running') dues.push(activeAt + IDLE_MS)
  return Math.min(Number.POSITIVE_INFINITY, ...dues)
}

/** What was due and did not come, or is to be asked now. */
export function tickOf(talk: Talk, now: number): readonly Step[] {
  const {activeSessionId} = talk
  if (!talk.greeted && talk.startedAt + HELLO_MS <= now) return end({kind: 'attachFailed', detail: 'no hello came'})
  for (const {what, at} of talk.asked.values())
    if (at + ANSWER_MS <= now) return end({kind: 'attachFailed', detail: `no answer to ${what}`})
  if (talk.snapshotDue !== undefined && talk.snapshotDue <= now) {
    talk.assemblies.clear()
    askAgain(talk, now)
  }
  if (talk.attached && talk.facts.state !== 'running' && talk.activeAt + IDLE_MS <= now) return end({kind: 'idle'})
  if (talk.attachAgainAt !== undefined && talk.attachAgainAt <= now) {
    talk.attachAgainAt = undefined
    talk.attachedAgain += 1
    if (talk.attachedAgain > ATTEMPTS) return end({kind: 'attachFailed', detail: 'no whole snapshot came'})
    return [{kind: 'send', command: {type: 'attach', activeSessionId}}]
  }
  const silent = talk.attached && talk.asked.size === 0 && talk.heardAt + SILENT_MS <= now
  return silent ? [{kind: 'send', command: {type: 'get_state', activeSessionId}}] : []
}

function end(because: Ending): readonly Step[] {
  return [{kind: 'end', because}]
}
