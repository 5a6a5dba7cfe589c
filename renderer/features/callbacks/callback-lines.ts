import type {AttemptRow, FrameRow} from '../../../shared/contract/rows.ts'
import type {UnsettledFrame} from '../../state/actions.ts'
import type {AppState} from '../../state/store.ts'

export interface CallbackLine {
  readonly frame: FrameRow
  /** The newest run that is known. */
  readonly last: AttemptRow | undefined
  /** What the same frame came to when it was delivered again; absent where it was not, or it is not known. */
  readonly later: Later | undefined
}

type Later = NonNullable<UnsettledFrame['later']>
type Held = Pick<AppState, 'recent' | 'attempts' | 'scope'>

/**
 * The ledger of callbacks, newest first: frames that were asked for, as they stand now, and live ones since. A frame that
 * was handled meanwhile leaves it; a frame that was rejected stays, also when a later delivery was handled, and says so.
 */
export function callbackLines(
  asked: readonly UnsettledFrame[],
  {recent, attempts, scope}: Held,
): readonly CallbackLine[] {
  const frames = new Map(asked.map(({frame}) => [frame.id, frame]))
  for (const row of recent.rows) if (scope === undefined || row.source === scope) frames.set(row.id, row)
  const last = new Map(attempts.rows.map((row) => [row.frame, row])) // ascending: the last one stays
  const told = new Map(asked.map(({frame, later}) => [frame.id, later]))
  const seen = deliveriesIn(recent.rows)
  return [...frames.values()]
    .filter(({outcome}) => outcome === 'pending' || outcome === 'rejected' || outcome === 'skipped')
    .sort((a, b) => b.id - a.id)
    .slice(0, SHOWN)
    .map((frame) => ({frame, last: last.get(frame.id), later: laterOf(frame.id, told.get(frame.id), seen)}))
}

const SHOWN = 200

/** The deliveries that this screen holds, as they stand now. */
interface Deliveries {
  readonly byId: ReadonlyMap<number, FrameRow>
  /** By the frame that was delivered again: its next delivery. */
  readonly next: ReadonlyMap<number, FrameRow>
}

function deliveriesIn(rows: readonly FrameRow[]): Deliveries {
  const again = rows.filter(({redelivers}) => redelivers !== undefined)
  return {
    byId: new Map(again.map((row) => [row.id, row])),
    next: new Map(again.map((row) => [row.redelivers ?? row.id, row])),
  }
}

/** What was asked for may be older than what came since: the chain goes on from there. */
function laterOf(frame: number, told: Later | undefined, {byId, next}: Deliveries): Later | undefined {
  let found = told
  const first = told === undefined ? next.get(frame) : (byId.get(told.frame) ?? next.get(told.frame))
  for (let row = first; row !== undefined; row = next.get(row.id))
    found = {frame: row.id, outcome: row.outcome, attempt: row.attempt}
  return found
}
