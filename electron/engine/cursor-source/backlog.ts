import type {Held} from '../../../shared/callbacks/held.ts'
import {laneHeld} from '../../../shared/callbacks/settle-cursor.ts'
import {admit, adopt, emptyLane, type Lane} from '../../../shared/cursor/lane.ts'
import type {CursorFrame, FrameContext} from '../../../shared/frames/frame.ts'
import type {FrameId, JournaledFrame} from '../../../shared/history/fact.ts'
import type {Leftover} from '../leftover.ts'

/** Journaled frames that are still to be handled, in the order of the journal. */
export interface Backlog {
  readonly add: (leftover: Leftover) => void
  /** The oldest, read again from the journal where the memory did not keep it. `undefined`: none waits, or it cannot be read. */
  readonly first: () => Promise<Leftover | undefined>
  /** More is known of the oldest. */
  readonly amendFirst: (leftover: Leftover) => void
  readonly dropFirst: () => void
  /** The user stepped over it: where it is the oldest, it waits no longer. */
  readonly skipped: (frame: FrameId) => void
  readonly size: () => number
  /** Where the stream stands, as far as it is journaled: ahead of the cursor by what waits. */
  readonly lane: () => Lane
  /** Resolves when one waits, or when the signal aborts. */
  readonly arrival: (signal: AbortSignal) => Promise<void>
}

export interface BacklogDeps {
  /** What is acknowledged now. */
  readonly held: () => Held
  readonly journaled: (frame: FrameId) => Promise<JournaledFrame | undefined>
  /** Understands a frame from its bytes, and what else was kept of it. */
  readonly understand: (journaled: JournaledFrame) => CursorFrame | undefined
  /** Bytes of frames that are kept in memory. Default: 8 MiB. */
  readonly keptBytes?: number
}

/** Of a frame that the memory did not keep. */
interface Reminder {
  readonly id: FrameId
  readonly context?: FrameContext
}

const KEPT_BYTES = 8 * 1024 * 1024
/** Handled ones at the head of the list are cut off in pieces of so many. */
const PIECE = 1_000

/**
 * Reading must not wait for handling, so what waits may be much. Up to a bound it is kept as it is; beyond it only the frame's
 * number is, and the frame is read again from the journal when its turn comes.
 */
export function createBacklog(deps: BacklogDeps): Backlog {
  const {keptBytes = KEPT_BYTES} = deps
  let waiting: (Leftover | Reminder)[] = []
  let head = 0
  let bytes = 0
  let wake = (): void => {}
  let ahead = emptyLane()
  const lane = (): Lane => (waiting.length === head ? laneHeld(deps.held()) : ahead)

  const dropFirst = (): void => {
    const oldest = waiting[head]
    if (oldest === undefined) return
    if ('journaled' in oldest) bytes -= oldest.journaled.bytes.length
    head += 1
    if (head < PIECE && head < waiting.length) return
    waiting = waiting.slice(head)
    head = 0
  }

  return {
    lane,
    add(leftover) {
      ahead = passed(lane(), leftover.frame)
      const size = leftover.journaled.bytes.length
      const kept = bytes === 0 || bytes + size <= keptBytes
      if (kept) bytes += size
      waiting.push(kept || leftover.attempts > 0 ? leftover : reminderOf(leftover))
      wake()
    },
    async first() {
      const oldest = waiting[head]
      if (oldest === undefined || 'journaled' in oldest) return oldest
      const again = await recall(oldest, deps)
      if (again !== undefined) {
        bytes += again.journaled.bytes.length
        waiting[head] = again
      }
      return again
    },
    amendFirst(leftover) {
      waiting[head] = leftover
    },
    dropFirst,
    skipped(frame) {
      const oldest = waiting[head]
      if (oldest !== undefined && idOf(oldest) === frame) dropFirst()
    },
    size: () => waiting.length - head,
    async arrival(signal) {
      if (waiting.length > head || signal.aborted) return
      await new Promise<void>((resolve) => {
        wake = resolve
        signal.addEventListener('abort', () => resolve(), {once: true})
      })
    },
  }
}

function passed(lane: Lane, frame: Leftover['frame']): Lane {
  if (frame.kind === 'sequenced') return admit(lane, frame.cursor, frame.newConnection).lane
  return frame.kind === 'snapshot' ? adopt(lane, frame.cursor, frame.newConnection).lane : lane
}

function idOf(oldest: Leftover | Reminder): FrameId {
  return 'journaled' in oldest ? oldest.journaled.id : oldest.id
}

function reminderOf({journaled: {id, context}}: Leftover): Reminder {
  return context === undefined ? {id} : {id, context}
}

async function recall({id, context}: Reminder, deps: BacklogDeps): Promise<Leftover | undefined> {
  const found = await deps.journaled(id)
  if (found === undefined) return undefined
  const journaled = context === undefined ? found : {...found, context}
  const frame = deps.understand(journaled)
  return frame === undefined ? undefined : leftoverOf(journaled, frame)
}

/** A frame of a stream that is not replayed: no other delivery of it can come. */
export function leftoverOf(journaled: JournaledFrame, frame: CursorFrame): Leftover {
  return {journaled, frame, identity: String(journaled.id), attempts: 0, rejections: 0}
}
