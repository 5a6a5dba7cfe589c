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
  /** Bytes that may wait for the disk. Default: 192 MiB. */
  readonly waitingBytes?: number
}

/** Two of the longest lines that are read, and something more. */
const WAITING_BYTES = 192 * 1024 * 1024

/** What goes to the disk in one transaction. */
const TOGETHER = {entries: 1_000, bytes: 4 * 1024 * 1024}

/**
 * Reads ahead into the durable journal. Where nothing waits to be handled and nobody handles, the journal is the callback, and a
 * run of frames is journaled and acknowledged in one transaction. Otherwise frames are journaled as pending, and handled behind.
 */
export function createJournal(run: SourceRun, backlog: Backlog, deps: JournalDeps): Journal {
  let queue: Entry[] = []
  let bytes = 0
  let writing: Promise<void> | undefined
  let refused = false

  const refuse = (because: Ending): void => {
    if (refused) return
    refused = true
    queue = []
    bytes = 0
    deps.onRefused(because)
  }
  const write = async (): Promise<void> => {
    await undefined // what one piece of the wire brought is one list
    while (queue.length > 0) {
      const piece = takePiece(queue)
      const because = await commitPiece(run, backlog, deps, piece)
      bytes -= bytesOf(piece)
      run.queued = queue.length + backlog.size()
      if (because !== undefined) return refuse(because)
    }
  }

  return {
    push(entry) {
      if (refused) return
      queue.push(entry)
      bytes += entry.journaled.bytes.length
      run.queued = queue.length + backlog.size()
      if (bytes > (deps.waitingBytes ?? WAITING_BYTES))
        return refuse({kind: 'storeFailed', detail: 'the disk takes less than the stream brings'})
      writing ??= write().finally(() => (writing = undefined))
    },
    async flushed() {
      while (writing !== undefined) await writing
      return !refused
    },
    size: () => queue.length,
  }
}

function takePiece(queue: Entry[]): readonly Entry[] {
  let bytes = 0
  const over = queue.findIndex((entry, index) => {
    bytes += entry.journaled.bytes.length
    return index > 0 && bytes > TOGETHER.bytes
  })
  return queue.splice(0, Math.min(TOGETHER.entries, over === -1 ? queue.length : over))
}

function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, {journaled}) => sum + journaled.bytes.length, 0)
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

/** In order: what was refused closes the run before it. */
async function acknowledgePiece(
  run: SourceRun,
  deps: JournalDeps,
  piece: readonly Entry[],
): Promise<Ending | undefined> {
  let gathered: FrameDelivery[] = []
  const flush = async (): Promise<Ending | undefined> => {
    if (gathered.length === 0) return undefined
    const done = await acknowledgeRun(run.held, gathered, deps)
    gathered = []
    if (done.end.kind === 'notJournaled') return storeFailed(done.end.error)
    run.held = done.held
    return undefined
  }
  for (const entry of piece) {
    if (entry.kind === 'understood') {
      const {journaled, frame, alongside} = entry
      const called = frame.kind === 'sequenced' && frame.known
      gathered.push({journaled, frame, attempt: called ? 1 : 0, fromJournal: false, alongside})
      continue
    }
    const because = (await flush()) ?? (await commit(deps, changesOf(entry, run)))
    if (because !== undefined) return because
  }
  return flush()
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
