import type {EpochMs} from '../../../shared/base/units.ts'
import type {FrameFilter, FramesPage, TimelineRange} from '../../../shared/contract/contract.ts'
import type {AttemptRow, FrameRow} from '../../../shared/contract/rows.ts'
import {
  attemptRowOf,
  connectionRowOf,
  frameRowOf,
  gapRowOf,
  stepTripleOf,
  wholeGapRowOf,
  withMove,
} from '../../../shared/contract/to-rows.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {Attempt, ConnectionFact, FrameId, Gap, JournaledFrame, Move} from '../../../shared/history/fact.ts'
import {chooseDeleted, type OldFrame, type PruneOrder} from '../../../shared/history/retention.ts'
import type {CoordinateKey} from '../../../shared/position/position.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {Pruned, StoreReader} from './store.ts'

export interface MemoryHistory {
  readonly note: (change: Change) => void
  readonly read: StoreReader
  /** @param unhandled - tells frames that wait for their callback */
  readonly prune: (order: PruneOrder, unhandled: (frame: FrameId) => boolean) => Pruned
}

interface Told {
  readonly frame: JournaledFrame
  row: FrameRow
  readonly attempts: Map<number, Attempt>
  gap: Gap | undefined
  move: Move | undefined
}

interface Records {
  /** In the order of journaling. */
  readonly frames: Map<FrameId, Told>
  readonly moves: Move[]
  readonly connections: ConnectionFact[]
}

/** Everything ever said, in lists, and read by going through them: short histories only. */
export function createMemoryHistory(): MemoryHistory {
  const records: Records = {frames: new Map(), moves: [], connections: []}
  return {
    note: (change) => note(records, change),
    prune: (order, unhandled) => prune(records, order, unhandled),
    read: {
      framesPage: async (filter, before, limit) => framesPage(records, filter, before, limit),
      frameDetail: async (id) => frameDetail(records, id),
      timeline: async (source, from, to) => timeline(records, source, from, to),
      gaps: async (source, before, limit, whole = false) => {
        const told = newestFirst(records, before).filter((one) => source === undefined || one.frame.source === source)
        const page = paged(
          told.flatMap(({gap}) => (gap === undefined ? [] : [gap])),
          limit,
          ({frame}) => frame,
        )
        return {...page.next, gaps: page.items.map(whole ? wholeGapRowOf : gapRowOf)}
      },
      size: async () => ({storeBytes: 0, storedFrames: records.frames.size}),
    },
  }
}

/** The bytes of frames are all that is measured here. */
function prune({frames}: Records, order: PruneOrder, unhandled: (frame: FrameId) => boolean): Pruned {
  const older = [...frames.values()].slice(0, -1).map(({frame: {id, receivedAt, size}, row, gap}): OldFrame => {
    return {id, receivedAt, size, outcome: row.outcome, gap: gap !== undefined, unhandled: unhandled(id)}
  })
  const excess = order.maxBytes === undefined ? 0 : bytesOf(older) - order.maxBytes
  const {deleted} = chooseDeleted(older, order, excess)
  for (const {id} of deleted) frames.delete(id)
  return {frames: deleted.length, bytes: bytesOf(deleted)}
}

function bytesOf(frames: readonly OldFrame[]): number {
  return frames.reduce((sum, {size}) => sum + size, 0)
}

function note({frames, moves, connections}: Records, change: Change): void {
  switch (change.kind) {
    case 'frameJournaled': {
      const {frame, outcome, attempt} = change
      const row = frameRowOf(frame, outcome, attempt)
      frames.set(frame.id, {frame, row, attempts: new Map(), gap: undefined, move: undefined})
      return
    }
    case 'frameSettled': {
      const {outcome, attempt, at} = change
      amend(frames, change.frame, (told) => (told.row = {...told.row, outcome, attempt, settledAt: at}))
      return
    }
    case 'attemptStarted':
    case 'attemptEnded':
      amend(frames, change.attempt.frame, ({attempts}) => attempts.set(change.attempt.n, change.attempt))
      return
    case 'cursorMoved': {
      const {move} = change
      moves.push(move)
      if (move.frame === undefined) return
      amend(frames, move.frame, (told) => Object.assign(told, {move, row: withMove(told.row, move)}))
      return
    }
    case 'gapRecorded':
      amend(frames, change.gap.frame, (told) => (told.gap = change.gap))
      return
    case 'connectionChanged':
      connections.push(change.connection)
      return
    case 'openAttemptsAborted':
      for (const {attempts} of frames.values()) abortOpen(attempts)
      return
    default:
  }
}

function amend(frames: Records['frames'], id: FrameId, change: (told: Told) => unknown): void {
  const told = frames.get(id)
  if (told !== undefined) change(told)
}

function abortOpen(attempts: Map<number, Attempt>): void {
  for (const [n, attempt] of attempts) if (attempt.state === 'pending') attempts.set(n, {...attempt, state: 'aborted'})
}

function newestFirst({frames}: Records, before: FrameId | undefined): readonly Told[] {
  return [...frames.values()].reverse().filter(({frame}) => before === undefined || frame.id < before)
}

function paged<T>(
  all: readonly T[],
  limit: number,
  id: (item: T) => number,
): {readonly items: readonly T[]; readonly next: {readonly next?: number}} {
  const items = all.slice(0, limit)
  const last = items.at(-1)
  return {items, next: last === undefined || all.length <= limit ? {} : {next: id(last)}}
}

function framesPage(records: Records, filter: FrameFilter, before: FrameId | undefined, limit: number): FramesPage {
  const rows = newestFirst(records, before).map(({row}) => row)
  const page = paged(rows.filter(fits(filter)), limit, ({id}) => id)
  return {...page.next, frames: page.items}
}

function fits({source, outcomes, lane, text, from, to}: FrameFilter): (row: FrameRow) => boolean {
  const part = text?.toLowerCase()
  return (row) =>
    (source === undefined || row.source === source) &&
    (outcomes === undefined || outcomes.includes(row.outcome)) &&
    (lane === undefined || row.lane === lane) &&
    (part === undefined || `${row.summary}\n${row.event}`.toLowerCase().includes(part)) &&
    (from === undefined || row.receivedAt >= from) &&
    (to === undefined || row.receivedAt < to)
}

function frameDetail({frames}: Records, id: FrameId): Awaited<ReturnType<StoreReader['frameDetail']>> {
  const told = frames.get(id)
  if (told === undefined) return undefined
  const {frame, row, gap, move} = told
  return {
    frame: row,
    bytes: Buffer.from(frame.bytes.subarray(0, 262_144)).toString('base64'), // 256 KiB, as the contract says
    bytesTotal: frame.size,
    withheld: frame.bytes.length === 0,
    cuts: frame.cuts,
    ...(frame.problem === undefined ? {} : {problem: frame.problem}),
    attempts: attemptRows(told),
    ...(gap === undefined ? {} : {gap: gapRowOf(gap)}),
    steps: (move?.steps ?? []).map(stepTripleOf),
    ...(move?.reason === undefined ? {} : {skipReason: move.reason}),
  }
}

function attemptRows({attempts}: Told): AttemptRow[] {
  return [...attempts.values()].map(attemptRowOf)
}

/** Never binned. */
function timeline(records: Records, source: SourceId, from: EpochMs, to: EpochMs): TimelineRange {
  const within = (at: EpochMs): boolean => at >= from && at < to
  const told = [...records.frames.values()].filter(({frame}) => frame.source === source && within(frame.receivedAt))
  const connections = records.connections.filter((one) => one.source === source && one.at < to)
  const firstInside = connections.findIndex(({at}) => at >= from)
  const inForce = firstInside < 0 ? connections.length - 1 : firstInside - 1
  return {
    source,
    from,
    to,
    lanes: lanes(records.moves, source, from, to),
    frames: told.map(({row}) => row),
    bins: [],
    attempts: told.flatMap(attemptRows),
    gaps: told.flatMap(({gap}) => (gap === undefined ? [] : [gapRowOf(gap)])),
    connections: connections.slice(Math.max(0, inForce)).map(connectionRowOf),
  }
}

type Lane = TimelineRange['lanes'][number]

function lanes(moves: readonly Move[], source: SourceId, from: EpochMs, to: EpochMs): readonly Lane[] {
  const found = new Map<CoordinateKey, {start: number | undefined; readonly steps: Lane['steps'][number][]}>()
  for (const move of moves) {
    if (move.source !== source || move.at >= to) continue
    for (const {key, after} of move.steps) {
      const lane = found.get(key) ?? {start: undefined, steps: []}
      found.set(key, lane)
      const frame = move.frame === undefined ? {} : {frame: move.frame}
      if (move.at < from) lane.start = after
      else lane.steps.push({at: move.at, value: after ?? null, ...frame})
    }
  }
  return [...found].map(([lane, {start, steps}]) => ({lane, ...(start === undefined ? {} : {start}), steps}))
}
