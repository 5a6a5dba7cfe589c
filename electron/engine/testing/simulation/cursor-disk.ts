import type {Change} from '../../../../shared/history/change.ts'
import type {StoredSource} from '../../store/store.ts'
import type {Vector} from './reading.ts'
import type {Called} from './turns.ts'
import type {Rule} from './verdict.ts'

/** What is known of the disk of any stream with generations. */
export interface CursorDisk<Kept extends Called> {
  readonly broken: (rule: Rule, detail: string) => void
  readonly kept: Map<number, Kept>
  readonly unhandled: Map<number, Kept>
  /** Frames that a user chose to skip. */
  readonly maySkip: Set<number>
}

export const OUT_OF_ORDER = 'a frame is durable that was not received, or not in order'
export const OTHER_OUTCOME = 'a frame came to another outcome than its kind allows'

type Settled = Extract<Change, {kind: 'frameSettled'}>

/** The frame that is settled for good, if this change settles one. */
export function settledFor<Kept extends Called>(disk: CursorDisk<Kept>, {frame, outcome}: Settled): Kept | undefined {
  const one = disk.kept.get(frame)
  if (one === undefined) disk.broken(OUT_OF_ORDER, `${frame} settled`)
  if (one === undefined || outcome === 'rejected') return undefined
  if (outcome === 'skipped' && !disk.maySkip.has(frame))
    disk.broken('a frame was skipped that no user skipped', `${frame}`)
  if (!disk.unhandled.has(frame)) disk.broken(OTHER_OUTCOME, `${frame} ${outcome}, and it was done with`)
  return one
}

/** It waits no longer, and nothing that came before it does. */
export function leaveWaiting<Kept extends Called>({unhandled, broken}: CursorDisk<Kept>, one: Kept): void {
  if (one.attemptOpen) broken('a frame is settled, and an attempt on it is still open', `${one.id}`)
  unhandled.delete(one.id)
  for (const other of unhandled.values())
    if (other.id < one.id)
      broken('the cursor passed a frame that was received and not handled', `by ${one.id}: unhandled ${other.id}`)
}

/** Another process finds what is known to be there. */
export function checkLoaded<Kept extends Called>(
  {unhandled, broken}: CursorDisk<Kept>,
  stored: StoredSource,
  known: {readonly position: Vector; readonly left: ReadonlySet<string | number>},
): void {
  const waiting = [...unhandled.values()].map(({id, attempts}) => `${id} after ${attempts}`)
  const loaded = stored.unhandled.map(({frame, attempts}) => `${frame.id} after ${attempts}`)
  const told = inWords(stored.position, loaded, stored.retired)
  const expected = inWords(known.position, waiting, known.left)
  if (told !== expected) broken('what was loaded is not what is durable', `${told} for ${expected}`)
}

function inWords(position: Vector, waiting: readonly string[], left: Iterable<string | number>): string {
  const coordinates = [...position].map(([key, count]) => `${key} ${count}`).sort()
  return `${coordinates}; ${waiting}; left ${[...left].map(String).sort()}`
}
