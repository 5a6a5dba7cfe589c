import type {TimelineRange} from '../../../../shared/contract/contract.ts'
import type {AttemptRow, ConnectionRow, FrameRow, GapRow} from '../../../../shared/contract/rows.ts'

export const SOURCE = 'release-bot'

/** Rows as the engine would tell them, for a test or a page to show: every mark of the timeline is in it. */
export interface Story {
  readonly frames: readonly FrameRow[]
  readonly attempts: readonly AttemptRow[]
  readonly gaps: readonly GapRow[]
  readonly connections: readonly ConnectionRow[]
  readonly lanes: TimelineRange['lanes']
}

type Step = NonNullable<FrameRow['steps']>[number]

export function frameRow(id: number, at: number, more: Partial<FrameRow> = {}): FrameRow {
  return {
    id,
    source: SOURCE,
    receivedAt: at,
    kind: 'event',
    event: 'message',
    summary: `message ${id}`,
    outcome: 'handled',
    attempt: 1,
    size: 310,
    settledAt: at,
    ...more,
  }
}

export function attemptRow(frame: number, n: number, from: number, more: Partial<AttemptRow> = {}): AttemptRow {
  return {
    frame,
    source: SOURCE,
    n,
    state: 'resolved',
    callback: 'onEvent',
    startedAt: from,
    endedAt: from + 40,
    ...more,
  }
}

/** One that replaced: `release` is when. */
export function gapRow(frame: number, at: number, release: number, more: Partial<GapRow> = {}): GapRow {
  return {
    frame,
    source: SOURCE,
    receivedAt: at,
    outcome: 'replaced',
    said: {from: 18, resumedAt: 2, reason: 'synthetic reset'},
    before: [
      ['s', 18],
      ['r:room-a', 43],
      ['r:room-b', 9],
    ],
    after: [
      ['s', 2],
      ['r:room-a', 7],
    ],
    cursorReset: true,
    wentBack: ['r:room-a', 's'],
    removed: ['r:room-b'],
    appliedAt: release,
    ...more,
  }
}

export function connectionRow(
  at: number,
  state: ConnectionRow['state'],
  more: Partial<ConnectionRow> = {},
): ConnectionRow {
  return {source: SOURCE, at, state, heartbeat: state === 'live' ? 'fresh' : 'none', attempt: 0, ...more}
}

/** A writer of rows that keeps the position itself, so that a story cannot contradict itself. */
function createTeller(start: number) {
  const position = new Map<string, number>([
    ['s', 9],
    ['r:room-a', 38],
    ['r:room-b', 6],
  ])
  const starts = new Map(position)
  const steps = new Map<string, {at: number; value: number | null; frame: number}[]>()
  const [frames, attempts]: [FrameRow[], AttemptRow[]] = [[], []]
  let next = 1
  const move = (frame: number, at: number, lane: string, after: number | null): Step => {
    const before = position.get(lane) ?? null
    if (after === null) position.delete(lane)
    else position.set(lane, after)
    const list = steps.get(lane) ?? []
    list.push({at, value: after, frame})
    steps.set(lane, list)
    return [lane, before, after]
  }
  const peek = (lane: string) => (position.get(lane) ?? 0) + 1
  return {position, starts, steps, frames, attempts, move, peek, id: () => next++, at: (s: number) => start + s * 1_000}
}

type Teller = ReturnType<typeof createTeller>

/** A frame whose callback took `took` seconds and resolved. */
function handled(teller: Teller, s: number, lane: string, took = 0.08, more: Partial<FrameRow> = {}): void {
  const [id, at, end] = [teller.id(), teller.at(s), teller.at(s + took)]
  const steps = [teller.move(id, end, lane, teller.peek(lane))]
  if (lane !== 's' && id % 3 === 0) steps.push(teller.move(id, end, 's', teller.peek('s')))
  teller.frames.push(
    frameRow(id, at, {
      lane,
      sequence: steps[0]?.[2] ?? 0,
      settledAt: end,
      cause: 'handled',
      steps,
      stepCount: steps.length,
      ...more,
    }),
  )
  teller.attempts.push(attemptRow(id, more.attempt ?? 1, at, {endedAt: end}))
}

/** The minute that the first look must explain by itself. `start` is its first instant, epoch ms. */
export function tellStory(start: number): Story {
  const teller = createTeller(start)
  const {at, frames, attempts} = teller
  for (const [s, lane] of [
    [1, 's'],
    [2.2, 'r:room-a'],
    [3.4, 'r:room-b'],
    [4.5, 's'],
    [5.6, 'r:room-a'],
    [7, 's'],
  ] as const)
    handled(teller, s, lane)
  handled(teller, 8.2, 'r:room-a', 2.4)
  malformed(teller, 11.5)
  handled(teller, 12.4, 'r:room-b')
  rejectedThenRedelivered(teller, 14)
  for (const [s, lane] of [
    [22.5, 'r:room-a'],
    [23.8, 's'],
    [25, 'r:room-b'],
    [26, 'r:room-a'],
  ] as const)
    handled(teller, s, lane)
  const gaps = [gapAt(teller, 29, 32.2)]
  for (const [s, lane] of [
    [34, 's'],
    [35.4, 'r:room-a'],
    [37, 's'],
    [38.5, 'r:room-a'],
  ] as const)
    handled(teller, s, lane)
  discarded(teller, 40.5)
  for (const [s, lane] of [
    [43, 'r:room-a'],
    [46, 's'],
    [49.2, 'r:room-a'],
    [51, 's'],
    [53.5, 'r:room-a'],
  ] as const)
    handled(teller, s, lane)
  const open = teller.id()
  frames.push(
    frameRow(open, at(56), {
      lane: 's',
      sequence: teller.peek('s'),
      outcome: 'pending',
      summary: '@dana asked for the changelog',
    }),
  )
  attempts.push({frame: open, source: SOURCE, n: 1, state: 'pending', callback: 'onEvent', startedAt: at(56)})
  return {
    frames: frames.sort((a, b) => a.id - b.id).map(withoutPendingEnd),
    attempts,
    gaps,
    connections: connectionsOf(at),
    lanes: [...teller.steps].map(([lane, steps]) => ({lane, start: teller.starts.get(lane), steps})).map(dropUndefined),
  }
}

function malformed(teller: Teller, s: number): void {
  const id = teller.id()
  teller.frames.push(
    frameRow(id, teller.at(s), {
      kind: 'malformed',
      lane: 'r:room-b',
      outcome: 'malformed',
      attempt: 0,
      summary: 'not JSON',
    }),
  )
}

function rejectedThenRedelivered(teller: Teller, s: number): void {
  const first = teller.id()
  const sequence = teller.peek('s')
  const row = {lane: 's', sequence, outcome: 'rejected', settledAt: teller.at(s + 0.6), summary: '@ben: ping'} as const
  teller.frames.push(frameRow(first, teller.at(s), row))
  teller.attempts.push(
    attemptRow(first, 1, teller.at(s), {state: 'rejected', endedAt: teller.at(s + 0.6), error: 'exit code 1'}),
  )
  handled(teller, s + 5.5, 's', 0.3, {redelivers: first, attempt: 2, summary: '@ben: ping'})
}

function discarded(teller: Teller, s: number): void {
  const [id, at] = [teller.id(), teller.at(s)]
  const steps = [teller.move(id, at, 's', teller.peek('s'))]
  const row = {kind: 'unknown', event: 'presence_hint', outcome: 'discarded', attempt: 0, cause: 'discarded'} as const
  teller.frames.push(frameRow(id, at, {...row, lane: 's', sequence: steps[0]?.[2] ?? 0, steps, stepCount: 1}))
}

function gapAt(teller: Teller, from: number, to: number): GapRow {
  const [id, at, end] = [teller.id(), teller.at(from), teller.at(to)]
  const before = [...teller.position]
  const steps = [
    teller.move(id, end, 's', 2),
    teller.move(id, end, 'r:room-a', 7),
    teller.move(id, end, 'r:room-b', null),
  ]
  const row = {
    kind: 'gap',
    event: 'gap',
    lane: 's',
    settledAt: end,
    cause: 'gapReplaced',
    summary: 'synthetic reset',
  } as const
  teller.frames.push(frameRow(id, at, {...row, steps, stepCount: 3}))
  teller.attempts.push(attemptRow(id, 1, at, {callback: 'onGap', endedAt: end}))
  return gapRow(id, at, end, {before, after: [...teller.position]})
}

function connectionsOf(at: (s: number) => number): readonly ConnectionRow[] {
  const because = {kind: 'rejected', frame: 11} as never // an ending names its frame with a brand
  return [
    connectionRow(at(-30), 'live'),
    connectionRow(at(14.7), 'waiting', {delayMs: 2_000, attempt: 1, because}),
    connectionRow(at(16.7), 'connecting'),
    connectionRow(at(17.3), 'live'),
    connectionRow(at(44), 'live', {heartbeat: 'stale'}),
    connectionRow(at(47), 'live'),
  ]
}

/** `exactOptionalPropertyTypes`: an absent field is absent. */
function dropUndefined({
  lane,
  start,
  steps,
}: {
  lane: string
  start: number | undefined
  steps: TimelineRange['lanes'][number]['steps']
}) {
  return {lane, steps, ...(start === undefined ? {} : {start})}
}

function withoutPendingEnd(frame: FrameRow): FrameRow {
  if (frame.outcome !== 'pending') return frame
  const {settledAt: _settledAt, ...open} = frame
  return open
}

export function rangeOf(story: Story, from: number, to: number): TimelineRange {
  return {source: SOURCE, from, to, bins: [], holes: [], activities: [], ...story}
}
