import {laneOfCursor} from '../../../shared/cursor/cursor-position.ts'
import type {CursorFrame, FrameProblem} from '../../../shared/frames/frame.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {JournaledFrame} from '../../../shared/history/fact.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import {acknowledgeRun, type FrameDelivery} from '../acknowledge.ts'
import {malformedChanges} from '../changes-of-frame.ts'
import type {SourceRun} from '../source-run.ts'
import {StoreFailure} from '../store/store.ts'
import {storeFailed} from '../store-failed.ts'
import type {WatchDeps} from '../watch-source.ts'
import {type Backlog, leftoverOf} from './backlog.ts'

/** One thing that was read, understood or refused. */
export type Entry = {
  readonly journaled: JournaledFrame
  /** Facts of its receipt, recorded in the transaction that journals it. */
  readonly alongside: readonly Change[]
} & (
  | {readonly kind: 'understood'; readonly frame: CursorFrame}
  | {readonly kind: 'malformed'; readonly problem: FrameProblem}
)

/** Where reading puts what it read. It never waits here: whoever reads too slowly loses events. */
export interface Journal {
  readonly push: (entry: Entry) => void
  /** Resolves when everything that was pushed is durable (true), or the disk refused some of it. */
  readonly flushed: () => Promise<boolean>
  readonly size: () => number
}

export interface JournalDeps extends Pick<WatchDeps, 'callbacks' | 'clock' | 'commit'> {
  /** Told once: the disk refused what was read, or takes less than comes. What was not journaled is lost, so the reading must end. */
  readonly onRefused: (because: Ending) => void
  /** Memory that may wait for the disk, in bytes. Default: 192 MiB. */
  readonly waitingBytes?: number
}

/** Two of the longest lines that are read, and something more. */
const WAITING_BYTES = 192 * 1024 * 1024
/** What an entry takes beside its bytes, measured: a line of one byte is not for nothing, and a stream may bring millions. */
const ENTRY_BYTES = 4_096

/** What goes to the disk in one transaction. */
const TOGETHER = {entries: 1_000, bytes: 4 * 1024 * 1024}

/**
 * Reads ahead into the durable journal. Where nothing waits to be handled and nobody handles, the journal is the callback, and a
 * run of frames is journaled and acknowledged in one transaction. Otherwise frames are journaled as pending, and handled behind.
 */
export function createJournal(run: SourceRun, backlog: Backlog, deps: JournalDeps): Journal {
  let queue: Entry[] = []
  /** How many at its head are on the disk, or on their way there. They are cut off now and then, not one piece at a time. */
  let head = 0
  let bytes = 0
  let writing: Promise<void> | undefined
  let refused = false

  const refuse = (because: Ending): void => {
    if (refused) return
    refused = true
    queue = []
    head = 0
    bytes = 0
    deps.onRefused(because)
  }
  const waiting = (): number => queue.length - head
  const take = (): readonly Entry[] => {
    const piece = pieceFrom(queue, head)
    head += piece.length
    if (2 * head < queue.length) return piece
    queue = queue.slice(head)
    head = 0
    return piece
  }
  const write = async (): Promise<void> => {
    await undefined // what one piece of the wire brought is one list
    while (waiting() > 0) {
      const piece = take()
      const because = await commitPiece(run, backlog, deps, piece)
      bytes -= piece.reduce((sum, entry) => sum + memoryOf(entry), 0)
      run.queued = waiting() + backlog.size()
      if (because !== undefined) return refuse(because)
    }
  }

  return {
    push(entry) {
      if (refused) return
      queue.push(entry)
      bytes += memoryOf(entry)
      run.queued = waiting() + backlog.size()
      if (bytes > (deps.waitingBytes ?? WAITING_BYTES))
        return refuse({kind: 'storeFailed', detail: 'the disk takes less than the stream brings'})
      writing ??= write().finally(() => (writing = undefined))
    },
    async flushed() {
      while (writing !== undefined) await writing
      return !refused
    },
    size: waiting,
  }
}

function pieceFrom(queue: readonly Entry[], head: number): readonly Entry[] {
  let [end, bytes] = [head, 0]
  for (let entry = queue[end]; entry !== undefined && end < head + TOGETHER.entries; entry = queue[end]) {
    bytes += entry.journaled.bytes.length
    if (end > head && bytes > TOGETHER.bytes) break
    end += 1
  }
  return queue.slice(head, end)
}

function memoryOf({journaled}: Entry): number {
  return journaled.bytes.length + ENTRY_BYTES
}

async function commitPiece(
  run: SourceRun,
  backlog: Backlog,
  deps: JournalDeps,
  piece: readonly Entry[],
): Promise<Ending | undefined> {
  const direct = deps.callbacks === undefined && backlog.size() === 0
  return direct ? acknowledgePiece(run, deps, piece) : journalPending(run, backlog, deps, piece)
}

/** In order: a run of what was understood is one transaction, and so is a run of what was refused. */
async function acknowledgePiece(
  run: SourceRun,
  deps: JournalDeps,
  piece: readonly Entry[],
): Promise<Ending | undefined> {
  let [from, to] = [0, 0]
  while (from < piece.length) {
    const understood: FrameDelivery[] = []
    const refused: Change[] = []
    for (let entry = piece[to]; entry?.kind === 'understood'; entry = piece[to]) {
      understood.push(deliveryOf(entry))
      to += 1
    }
    const because = await acknowledgeAll(run, deps, understood)
    if (because !== undefined) return because
    for (let entry = piece[to]; entry?.kind === 'malformed'; entry = piece[to]) {
      refused.push(...changesOf(entry, run))
      to += 1
    }
    const unwritten = refused.length === 0 ? undefined : await commit(deps, refused)
    if (unwritten !== undefined) return unwritten
    from = to
  }
  return undefined
}

async function acknowledgeAll(
  run: SourceRun,
  deps: JournalDeps,
  deliveries: readonly FrameDelivery[],
): Promise<Ending | undefined> {
  if (deliveries.length === 0) return undefined
  const done = await acknowledgeRun(run.held, deliveries, deps)
  if (done.end.kind === 'notJournaled') return storeFailed(done.end.error)
  run.held = done.held
  return undefined
}

function deliveryOf({journaled, frame, alongside}: Extract<Entry, {kind: 'understood'}>): FrameDelivery {
  const called = frame.kind === 'sequenced' && frame.known
  return {journaled, frame, attempt: called ? 1 : 0, fromJournal: false, alongside}
}

async function journalPending(
  run: SourceRun,
  backlog: Backlog,
  deps: JournalDeps,
  piece: readonly Entry[],
): Promise<Ending | undefined> {
  const because = await commit(
    deps,
    piece.flatMap((entry) => changesOf(entry, run)),
  )
  if (because !== undefined) return because
  for (const entry of piece)
    if (entry.kind === 'understood' && entry.frame.kind !== 'control')
      backlog.add(leftoverOf(entry.journaled, entry.frame))
  return undefined
}

/** What only says something about the connection, and what was refused, has nothing to wait for. */
function changesOf(entry: Entry, run: SourceRun): readonly Change[] {
  const {journaled, alongside} = entry
  if (entry.kind === 'malformed')
    return [...malformedChanges(journaled, entry.problem, run.held.position), ...alongside]
  const {frame} = entry
  if (frame.kind === 'control')
    return [{kind: 'frameJournaled', frame: journaled, outcome: 'control', attempt: 0}, ...alongside]
  const placed = {...journaled, lane: laneOfCursor(frame.cursor), sequence: frame.cursor.sequence}
  return [{kind: 'frameJournaled', frame: placed, outcome: 'pending', attempt: 0}, ...alongside]
}

async function commit(deps: JournalDeps, changes: readonly Change[]): Promise<Ending | undefined> {
  try {
    await deps.commit(changes)
    return undefined
  } catch (cause) {
    if (cause instanceof StoreFailure) return storeFailed(cause.error)
    throw cause
  }
}
