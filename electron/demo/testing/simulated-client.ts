import {isJsonObject, type JsonObject, parseJson} from '../../../shared/base/json.ts'
import type {Output} from '../bridge-state.ts'
import type {CallbackRule, Scenario} from '../scenario.ts'
import {createStage, type Stage} from '../stage.ts'

/** One thing the client saw, with the position it held afterwards. */
export interface Seen {
  readonly at: number
  readonly what:
    | 'opened'
    | 'refused'
    | 'handled'
    | 'rejected'
    | 'discarded'
    | 'malformed'
    | 'replaced'
    | 'evicted'
    | 'ended'
  readonly data: JsonObject
  readonly position: Readonly<Record<string, number>>
}

export interface Simulation {
  readonly scenario: Scenario
  readonly untilMs: number
  /** In [0, 1]; 1 is the longest backoff. */
  readonly jitter: number
  /** What callbacks without a rule take, in ms. */
  readonly callbackMs: number
  /** A position held from before. */
  readonly position?: Readonly<Record<string, number>>
}

const STEP_MS = 10
const BEAT_MS = 2_000
const LASTED_MS = 30_000

/**
 * A client as the Switch note asks for, in a few lines and in simulated time: one frame at a time, the position moves when
 * the callback has resolved, a rejection or a malformed frame closes the stream, every ending waits with growing backoff.
 */
export function simulate({scenario, untilMs, jitter, callbackMs, position = {}}: Simulation): readonly Seen[] {
  const stage = createStage({scenario, agentId: 'release-bot', run: 'sim', firstGeneration: 1, epochOffset: 0})
  const client = createClient(stage, scenario, {jitter, callbackMs, position})
  for (let now = 0; now <= untilMs; now += STEP_MS) {
    if (stage.nextDue(now) <= now) client.take(now, stage.tick(now))
    client.step(now)
  }
  return client.seen
}

interface Habits {
  readonly jitter: number
  readonly callbackMs: number
  readonly position: Readonly<Record<string, number>>
}

interface Busy {
  readonly until: number
  readonly frame: Frame
  readonly attempt: number
}

function createClient(stage: Stage, scenario: Scenario, habits: Habits) {
  const seen: Seen[] = []
  const attempts = new Map<string, number>()
  let position = {...habits.position}
  let queue: Frame[] = []
  let busy: Busy | undefined
  let stream = 0
  let attached = false
  let openedAt = 0
  let openFrom = 0
  let failures = 0
  let nextBeat = 0

  const note = (at: number, what: Seen['what'], data: JsonObject = {}): void => {
    seen.push({at, what, data, position})
  }

  const end = (now: number): void => {
    if (attached) stage.closed(stream)
    if (now - openedAt >= LASTED_MS) failures = 0
    const whole = Math.min(1_000 * 2 ** failures++, 30_000)
    openFrom = now + whole / 2 + (whole / 2) * habits.jitter
    attached = false
    busy = undefined
    queue = []
  }

  const open = (now: number): void => {
    const from = position['s'] ?? 0
    const opened = stage.open(now, ++stream, {connectionId: 'sim', scope: 'all', filter: 'all', from})
    note(now, opened.ok ? 'opened' : 'refused')
    attached = opened.ok
    openedAt = now
    nextBeat = now + BEAT_MS
    if (opened.ok) take(now, opened.value)
    else end(now)
  }

  const take = (now: number, outputs: readonly Output[]): void => {
    for (const output of outputs) {
      if (output.stream !== stream || !attached) continue
      if (output.kind === 'write' || output.kind === 'batch') queue.push(...framesOf(output.text))
      if (output.kind === 'batch') take(now, stage.written(now, stream))
      // What came before the end is still handled; a client reads its socket to the end.
      if (output.kind === 'end' || output.kind === 'reset') queue.push({event: '(end)', data: {}})
    }
  }

  const begin = (now: number, frame: Frame): void => {
    const {event, data} = frame
    if (event === '(end)') finish(now, 'ended')
    else if (event === 'evicted') note(now, 'evicted', data)
    else if (data === undefined) finish(now, 'malformed')
    else if (event === 'gap') call(now, frame, `gap ${now}`)
    else if (typeof data['type'] === 'string') call(now, frame, idOf(data))
    else if (event !== 'connection_state') {
      position = {...position, ...positionIn(data)}
      note(now, 'discarded', data)
    }
  }

  const call = (now: number, frame: Frame, key: string): void => {
    const attempt = (attempts.get(key) ?? 0) + 1
    attempts.set(key, attempt)
    busy = {until: now + (ruleFor(scenario, frame)?.delayMs ?? habits.callbackMs), frame, attempt}
  }

  const finish = (now: number, what: Seen['what'], data: JsonObject = {}): void => {
    note(now, what, data)
    end(now)
  }

  const settle = (now: number, {frame, attempt}: Busy): void => {
    busy = undefined
    const {event, data = {}} = frame
    if (attempt <= (ruleFor(scenario, frame)?.rejectUpTo ?? 0)) {
      finish(now, 'rejected', data)
      return
    }
    position = event === 'gap' ? resumedPosition(position, data) : {...position, ...positionIn(data)}
    note(now, event === 'gap' ? 'replaced' : 'handled', data)
  }

  const step = (now: number): void => {
    if (!attached && now >= openFrom) open(now)
    if (attached && now >= nextBeat) {
      stage.beat(now, {connectionId: 'sim', cursor: position['s'] ?? 0})
      nextBeat = now + BEAT_MS
    }
    if (busy !== undefined && now >= busy.until) settle(now, busy)
    while (busy === undefined && attached && queue.length > 0) {
      const [frame, ...rest] = queue
      queue = rest
      if (frame !== undefined) begin(now, frame)
    }
  }

  return {seen, take, step}
}

interface Frame {
  readonly event: string
  /** Absent where it is no JSON object. */
  readonly data?: JsonObject
}

/** Whole frames only; what comes after the last blank line is half of one. */
export function framesOf(text: string): readonly Frame[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.flatMap((block) => {
    const event = /^event: (.*)$/m.exec(block)?.[1]
    const data = parseJson(/^data: (.*)$/m.exec(block)?.[1] ?? '')
    return event === undefined ? [] : [isJsonObject(data) ? {event, data} : {event}]
  })
}

type Vector = Readonly<Record<string, number>>

/** What the demo writes are numbers. An older server's event says only its own. */
function positionIn(data: JsonObject): Vector {
  return isJsonObject(data['position']) ? (data['position'] as Vector) : {s: Number(data['sequence'])}
}

function resumedPosition(held: Vector, data: JsonObject): Vector {
  const resumed = data['resumed_position']
  return isJsonObject(resumed) ? (resumed as Vector) : {...held, s: Number(data['resumed_at'])}
}

function idOf(data: JsonObject): string {
  const payload = data['payload']
  return isJsonObject(payload) ? String(payload['message_id'] ?? payload['task_id']) : ''
}

function ruleFor(scenario: Scenario, {event, data = {}}: Frame): CallbackRule | undefined {
  const label = event === 'gap' ? 'gap' : /^\$?([^.]*)\./.exec(idOf(data))?.[1]
  return scenario.callbacks?.find((rule) => rule.label === label)
}
