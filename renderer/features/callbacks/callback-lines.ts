import type {AttemptRow, FrameRow} from '../../../shared/contract/rows.ts'
import type {AppState} from '../../state/store.ts'

export interface CallbackLine {
  readonly frame: FrameRow
  /** The newest run that is known. */
  readonly last: AttemptRow | undefined
}

type Held = Pick<AppState, 'recent' | 'attempts' | 'scope'>

/**
 * The ledger of callbacks, newest first: frames that were asked for, as they stand now, and live ones since. A frame that
 * was handled meanwhile leaves it; a frame that was rejected stays, also when a later delivery was handled.
 */
export function callbackLines(asked: readonly FrameRow[], {recent, attempts, scope}: Held): readonly CallbackLine[] {
  const frames = new Map(asked.map((row) => [row.id, row]))
  for (const row of recent.rows) if (scope === undefined || row.source === scope) frames.set(row.id, row)
  const last = new Map(attempts.rows.map((row) => [row.frame, row])) // ascending: the last one stays
  return [...frames.values()]
    .filter(({outcome}) => outcome === 'pending' || outcome === 'rejected' || outcome === 'skipped')
    .sort((a, b) => b.id - a.id)
    .slice(0, SHOWN)
    .map((frame) => ({frame, last: last.get(frame.id)}))
}

const SHOWN = 200
