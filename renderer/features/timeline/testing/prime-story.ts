import {
  type CursorFacts,
  type Held,
  heldAfter,
  nothingHeld,
  type Settlement,
} from '../../../../shared/callbacks/held.ts'
import {settleSequenced, settleSnapshot} from '../../../../shared/callbacks/settle-cursor.ts'
import type {TimelineRange} from '../../../../shared/contract/contract.ts'
import type {ActivityRow, ConnectionRow, FrameRow, GenerationRow, HoleRow} from '../../../../shared/contract/rows.ts'
import {holeRowOf, stepTripleOf} from '../../../../shared/contract/to-rows.ts'
import {parseCursor} from '../../../../shared/cursor/cursor.ts'
import type {SequencedFrame, SnapshotFrame} from '../../../../shared/frames/frame.ts'
import {connectionRow, frameRow, SOURCE} from './story.ts'

/** What became of a numbered stream, as rows. The steps, holes and decisions are those of the real rules. */
export interface CursorStory {
  readonly frames: readonly FrameRow[]
  readonly holes: readonly HoleRow[]
  readonly activities: readonly ActivityRow[]
  readonly connections: readonly ConnectionRow[]
  readonly generations: readonly GenerationRow[]
  readonly lanes: TimelineRange['lanes']
}

/** A writer that settles each frame by the real rules and keeps the lines. Times in seconds after `start`. */
export function createCursorTeller(start: number) {
  let held: Held = nothingHeld()
  let next = 1
  const frames: FrameRow[] = []
  const holes: HoleRow[] = []
  const generations = new Map<string, GenerationRow>()
  const lines = new Map<string, {at: number; value: number | null; frame: number}[]>()

  const tell = (s: number, row: Partial<FrameRow>, settlement: Settlement, at: number): FrameRow => {
    const id = next++
    const {outcome, steps, cause, place, cursor} = settlement
    const moved = steps.length === 0 ? {} : {cause, steps: steps.map(stepTripleOf), stepCount: steps.length}
    const frame = frameRow(id, start + s * 1_000, {outcome, ...place, ...moved, attempt: 0, ...row})
    frames.push(frame)
    for (const {key, after} of steps) lines.set(key, [...(lines.get(key) ?? []), {at, value: after ?? null, frame: id}])
    if (cursor?.hole !== undefined)
      holes.push(holeRowOf({frame: id as never, source: SOURCE as never, receivedAt: at as never, ...cursor.hole}))
    if (cursor?.seen !== undefined) see(generations, cursor.seen, at)
    held = heldAfter(held, settlement)
    return frame
  }
  const cursorOf = (generation: string | number, sequence: number) => {
    const cursor = parseCursor({generation, sequence})
    if (cursor === undefined) throw new Error('no cursor')
    return cursor
  }
  return {
    frames,
    holes,
    event: (
      s: number,
      generation: string | number,
      sequence: number,
      event = 'message_update',
      newConnection = false,
    ) => {
      const frame: SequencedFrame = {
        ...{kind: 'sequenced', event, data: {}, known: true, newConnection},
        cursor: cursorOf(generation, sequence),
      }
      return tell(s, {event, summary: event}, settleSequenced(held, frame), start + s * 1_000)
    },
    snapshot: (s: number, generation: string | number, sequence: number, purpose: string, said?: string) => {
      const frame: SnapshotFrame = {
        ...{kind: 'snapshot', event: purpose, data: {}, purpose, newConnection: purpose === 'attach'},
        cursor: cursorOf(generation, sequence),
        ...(said === undefined ? {} : {said}),
      }
      const row = {kind: 'snapshot', event: 'session_snapshot_end', summary: purpose} as const
      return tell(s, row, settleSnapshot(held, frame), start + s * 1_000)
    },
    /** A numbering began anew `s`, and the user decided `decided` seconds after the start. */
    anew: (s: number, decided: number, generation: number, sequence: number, decision: 'taken' | 'kept') => {
      const cursor = cursorOf(generation, sequence)
      const about = {kind: 'sequenced', event: 'snapshot', data: {}, known: true, newConnection: true, cursor} as const
      const taken = settleSequenced(held, {...about, taken: true})
      const between = taken.cursor?.taken
      if (between === undefined) throw new Error('it is no lower number')
      const numbering = {decision, ...between}
      const at = start + decided * 1_000
      const row = {event: 'snapshot', summary: 'anew', settledAt: at, numbering} as const
      if (decision === 'taken') return tell(s, row, taken, at)
      const refused = {...settleSequenced(held, about), outcome: 'stale'} as const
      return tell(s, {...row, cause: 'numberingKept', steps: [], stepCount: 0}, refused, at)
    },
    story: (): Omit<CursorStory, 'activities' | 'connections'> => ({
      frames,
      holes,
      generations: [...generations.values()],
      lanes: [...lines].map(([lane, steps]) => ({lane, steps})),
    }),
  }
}

function see(
  generations: Map<string, GenerationRow>,
  {lane, sequence, by}: NonNullable<CursorFacts['seen']>,
  at: number,
): void {
  if (by === 'stale') return
  const there = generations.get(lane)
  const events = (there?.events ?? 0) + Number(by === 'event')
  const first = there?.firstSequence ?? (by === 'event' ? sequence : undefined)
  generations.set(lane, {
    ...{
      source: SOURCE,
      lane,
      numbering: 0,
      stale: 0,
      lastSequence: sequence,
      firstAt: there?.firstAt ?? at,
      lastAt: at,
      events,
    },
    ...(first === undefined ? {} : {firstSequence: first}),
    snapshots: (there?.snapshots ?? 0) + Number(by === 'snapshot'),
  })
}

export const OLD = 'da65790f3c68'
export const NEW = '0762effa9b4d'

/** A minute of a session: a turn, a jump, a resync, a worker that is gone without a word, and its successor. */
export function tellPrimeStory(start: number): CursorStory {
  const {event, snapshot, story} = createCursorTeller(start)
  snapshot(1, OLD, 3, 'attach', 'complete')
  event(2, OLD, 4, 'turn_start')
  for (let n = 0; n < 12; n++) event(2.5 + n * 0.4, OLD, 5 + n)
  event(8, OLD, 17, 'tool_execution_start')
  event(12, OLD, 20, 'tool_execution_end') // 18 and 19 went to another client
  event(12.5, OLD, 20, 'tool_execution_end')
  event(13, OLD, 21, 'turn_end')
  snapshot(18, OLD, 40, 'resync')
  event(20, OLD, 41, 'bash_start')
  snapshot(40, NEW, 7, 'attach', 'complete')
  event(42, NEW, 8, 'turn_start')
  event(43, OLD, 42, 'bash_end')
  for (let n = 0; n < 20; n++) event(44 + n * 0.5, NEW, 9 + n)
  const at = (s: number) => start + s * 1_000
  const activity = (frame: number, more: Partial<ActivityRow>): ActivityRow => ({
    ...{source: SOURCE, frame, kind: 'tool', label: '', state: 'ended'},
    ...more,
  })
  return {
    ...story(),
    activities: [
      activity(2, {kind: 'turn', startedAt: at(2), endedAt: at(13)}),
      activity(3, {kind: 'message', label: 'assistant', startedAt: at(2.5), endedAt: at(7)}),
      activity(15, {label: 'read_file', startedAt: at(8), endedAt: at(12)}),
      activity(16, {label: 'grep', startedAt: at(8.5), endedAt: at(10), state: 'failed'}),
      activity(20, {kind: 'bash', label: 'npm test', startedAt: at(20), endedAt: at(25), state: 'notSeen'}),
      activity(22, {kind: 'turn', startedAt: at(42), state: 'open'}),
      activity(24, {kind: 'message', label: 'assistant', startedAt: at(44), state: 'open'}),
    ],
    connections: [
      connectionRow(at(-5), 'live', {heartbeat: 'none'}),
      connectionRow(at(25), 'waiting', {delayMs: 2_000, because: {kind: 'workerGone', detail: ''}}),
      connectionRow(at(39), 'live', {heartbeat: 'none'}),
    ],
  }
}

/** A numbered stream over two snapshot boundaries, one generation of which nothing was seen. */
export function tellNumberedStory(start: number): CursorStory {
  const {event, story} = createCursorTeller(start)
  for (let n = 0; n < 8; n++) event(2 + n, 5, n, 'delta')
  for (let n = 0; n < 5; n++) event(14 + n, 6, n, 'delta')
  for (let n = 2; n < 9; n++) event(30 + n, 8, n, 'delta')
  return {...story(), activities: [], connections: [connectionRow(start - 5_000, 'live')]}
}

/** A numbered stream whose server lost its store: the old numbering is kept at first, and then the new one is taken. */
export function tellLostStory(start: number): CursorStory {
  const {event, anew, story} = createCursorTeller(start)
  for (let n = 0; n < 8; n++) event(2 + n, 10, n, 'delta')
  anew(20, 28, 1, 0, 'kept')
  anew(30, 38, 1, 0, 'taken')
  for (let n = 1; n < 5; n++) event(40 + n, 1, n, 'delta')
  event(50, 2, 0, 'delta')
  return {...story(), activities: [], connections: [connectionRow(start - 5_000, 'live')]}
}

export function cursorRangeOf(story: CursorStory, from: number, to: number): TimelineRange {
  const {generations: _apart, ...rows} = story
  return {source: SOURCE, from, to, bins: [], attempts: [], gaps: [], ...rows}
}
