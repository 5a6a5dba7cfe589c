import type {EpochMs} from '../../../shared/base/units.ts'
import type {FrameDetail, FrameFilter, FramesPage, TimelineRange} from '../../../shared/contract/contract.ts'
import {listedOutcomeOf} from '../../../shared/contract/listed-outcome.ts'
import type {AttemptRow, FrameRow, GapRow} from '../../../shared/contract/rows.ts'
import {
  activityRowOf,
  attemptRowOf,
  connectionRowOf,
  frameRowOf,
  gapRowOf,
  holeRowOf,
  numberingRowOf,
  stepTripleOf,
  wholeAttemptRowOf,
  wholeGapRowOf,
  withMove,
  withNumbering,
} from '../../../shared/contract/to-rows.ts'
import type {Activity} from '../../../shared/history/activity.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {
  Attempt,
  ConnectionFact,
  FrameId,
  Gap,
  GapAccount,
  JournaledFrame,
  Move,
} from '../../../shared/history/fact.ts'
import type {Hole} from '../../../shared/history/hole.ts'
import type {NumberingDecision} from '../../../shared/history/numbering.ts'
import {chooseDeleted, type OldFrame, type PruneOrder} from '../../../shared/history/retention.ts'
import type {CoordinateKey} from '../../../shared/position/position.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import {endGeneration, type GenerationRecords, generationsOf, seeGeneration} from './memory-generations.ts'
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
  account?: GapAccount
  move: Move | undefined
}

interface Records extends GenerationRecords {
  /** In the order of journaling. */
  readonly frames: Map<FrameId, Told>
  readonly moves: Move[]
  readonly connections: ConnectionFact[]
  /** By the frame that showed it. */
  readonly holes: Map<FrameId, Hole>
  /** By the frame that told of it first. */
  readonly activities: Map<FrameId, Activity>
}

/** Everything ever said, in lists, and read by going through them: short histories only. */
export function createMemoryHistory(): MemoryHistory {
  const records: Records = {
    frames: new Map(),
    moves: [],
    connections: [],
    holes: new Map(),
    numberings: new Map(),
    activities: new Map(),
    generations: new Map(),
  }
  return {
    note: (change) => note(records, change),
    prune: (order, unhandled) => prune(records, order, unhandled),
    read: {
      framesPage: async (filter, before, limit) => framesPage(records, filter, before, limit),
      frameDetail: async (id) => frameDetail(records, id),
      frameBytes: async (id, from) => records.frames.get(id)?.frame.bytes.slice(from, from + BYTES_SHOWN),
      timeline: async (source, from, to) => timeline(records, source, from, to),
      gaps: async (source, before, limit, whole = false) => {
        const told = newestFirst(records, before).filter((one) => source === undefined || one.frame.source === source)
        const page = paged(
          told.flatMap((one) => gapRows(one, whole)),
          limit,
          ({frame}) => frame,
        )
        return {...page.next, gaps: page.items}
      },
      holes: async (source, before, limit) => {
        const told = [...records.holes.values()]
          .filter((hole) => (source === undefined || hole.source === source) && hole.frame < (before ?? Infinity))
          .sort((a, b) => b.frame - a.frame)
        const page = paged(told, limit, ({frame}) => frame)
        return {...page.next, holes: page.items.map(holeRowOf)}
      },
      numberings: async (source, before, limit) => {
        const told = [...records.numberings.values()]
          .filter((one) => (source === undefined || one.source === source) && one.frame < (before ?? Infinity))
          .sort((a, b) => b.frame - a.frame)
        const page = paged(told, limit, ({frame}) => frame)
        return {...page.next, numberings: page.items.map(numberingRowOf)}
      },
      generations: async (source, limit) => {
        const all = generationsOf(records, source)
        return {generations: all.slice(-limit), total: all.length}
      },
      openActivities: async (source) =>
        [...records.activities.values()]
          .filter((activity) => activity.source === source && activity.state === 'open')
          .map(activityRowOf),
      journaled: async (id) => records.frames.get(id)?.frame,
      size: async () => ({storeBytes: 0, storedFrames: records.frames.size}),
    },
  }
}

/** The ledger's row of it, where it is a gap, with what the user said of it. */
function gapRows({gap, account}: Told, whole = false): readonly GapRow[] {
  if (gap === undefined) return []
  return [{...(whole ? wholeGapRowOf(gap) : gapRowOf(gap)), ...(account === undefined ? {} : {account})}]
}

/** The bytes of frames are all that is measured here. */
function prune({frames}: Records, order: PruneOrder, unhandled: (frame: FrameId) => boolean): Pruned {
  const older = [...frames.values()].slice(0, -1).map(({frame: {id, receivedAt, size}, row, gap}): OldFrame => {
    const inLedger = gap !== undefined || row.numbering !== undefined
    return {id, receivedAt, size, outcome: row.outcome, inLedger, unhandled: unhandled(id)}
  })
  const excess = order.maxBytes === undefined ? 0 : bytesOf(older) - order.maxBytes
  const {deleted} = chooseDeleted(older, order, excess)
  for (const {id} of deleted) frames.delete(id)
  return {frames: deleted.length, bytes: bytesOf(deleted)}
}

function bytesOf(frames: readonly OldFrame[]): number {
  return frames.reduce((sum, {size}) => sum + size, 0)
}

function note(records: Records, change: Change): void {
  const {frames, moves, connections} = records
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
    case 'gapAccounted':
      amend(frames, change.frame, (told) => (told.account = change.account))
      return
    case 'connectionChanged':
      connections.push(change.connection)
      return
    case 'holeSeen':
      records.holes.set(change.hole.frame, change.hole)
      return
    case 'activityChanged':
      records.activities.set(change.activity.frame, change.activity)
      return
    case 'numberingDecided':
      decideNumbering(records, change.numbering)
      return
    case 'generationSeen':
      seeGeneration(records, change.seen)
      return
    case 'generationRetired':
    case 'generationResumed':
      endGeneration(records, change)
      return
    case 'openAttemptsAborted':
      for (const {attempts} of frames.values()) abortOpen(attempts)
      return
    default:
  }
}

function decideNumbering({numberings, frames}: Records, decision: NumberingDecision): void {
  numberings.set(decision.frame, decision)
  amend(frames, decision.frame, (told) => (told.row = withNumbering(told.row, decision)))
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

function fits({source, outcomes, lane, texts, from, to}: FrameFilter): (row: FrameRow) => boolean {
  const parts = (texts ?? []).map((text) => text.toLowerCase())
  return (row) =>
    (source === undefined || row.source === source) &&
    (outcomes === undefined || outcomes.includes(listedOutcomeOf(row))) &&
    (lane === undefined || row.lane === lane) &&
    parts.every((part) => `${row.summary}\n${row.event}`.toLowerCase().includes(part)) &&
    (from === undefined || row.receivedAt >= from) &&
    (to === undefined || row.receivedAt < to)
}

/** As the contract says. */
const BYTES_SHOWN = 256 * 1024

function frameDetail({frames, holes}: Records, id: FrameId): Awaited<ReturnType<StoreReader['frameDetail']>> {
  const told = frames.get(id)
  if (told === undefined) return undefined
  const {frame, row, move} = told
  const [gap] = gapRows(told)
  const hole = holes.get(id)
  return {
    frame: row,
    bytes: Buffer.from(frame.bytes.subarray(0, BYTES_SHOWN)).toString('base64'),
    bytesTotal: frame.size,
    withheld: frame.bytes.length === 0,
    cuts: frame.cuts,
    ...(frame.problem === undefined ? {} : {problem: frame.problem}),
    attempts: [...told.attempts.values()].map(wholeAttemptRowOf),
    ...laterOf(frames, id),
    ...(gap === undefined ? {} : {gap}),
    ...(hole === undefined ? {} : {hole: holeRowOf(hole)}),
    steps: (move?.steps ?? []).map(stepTripleOf),
    ...(move?.reason === undefined ? {} : {skipReason: move.reason}),
  }
}

/** The last of the deliveries that followed this one, each of the one before it. */
function laterOf(frames: Records['frames'], first: FrameId): Pick<FrameDetail, 'later'> {
  let last = frames.get(first)
  for (const told of frames.values()) if (told.frame.redelivers === last?.frame.id) last = told
  if (last === undefined || last.frame.id === first) return {}
  const {id, outcome, attempt} = last.row
  return {later: {frame: id, outcome, attempt}}
}

function attemptRows({attempts}: Told): AttemptRow[] {
  return [...attempts.values()].map(attemptRowOf)
}

/** Never binned. */
function timeline(records: Records, source: SourceId, from: EpochMs, to: EpochMs): TimelineRange {
  const within = (at: EpochMs): boolean => at >= from && at < to
  const isIn = ({frame, row}: Told): boolean =>
    within(frame.receivedAt) ||
    (row.numbering !== undefined && row.settledAt !== undefined && within(row.settledAt as EpochMs))
  const told = [...records.frames.values()].filter((one) => one.frame.source === source && isIn(one))
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
    gaps: told.flatMap((one) => gapRows(one)),
    holes: [...records.holes.values()]
      .filter((hole) => hole.source === source && within(hole.receivedAt))
      .map(holeRowOf),
    activities: [...records.activities.values()]
      .filter((activity) => activity.source === source && isWithin(activity, from, to))
      .map(activityRowOf),
    connections: connections.slice(Math.max(0, inForce)).map(connectionRowOf),
  }
}

function isWithin({startedAt, endedAt, state}: Activity, from: EpochMs, to: EpochMs): boolean {
  const told = startedAt ?? endedAt ?? 0
  return told < to && (told >= from || state === 'open' || (endedAt !== undefined && endedAt >= from))
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
