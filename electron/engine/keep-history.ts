import {pruneOrder, type RetentionLimits} from '../../shared/history/retention.ts'
import type {Clock} from './clock.ts'
import {type Store, type StoreError, StoreFailure} from './store/store.ts'

export interface HistoryKeeping {
  readonly store: Pick<Store, 'prune'>
  readonly clock: Clock
  readonly limits: RetentionLimits
  /** Nothing is lost by it, and the next try comes within the hour. */
  readonly onTrouble?: (error: StoreError) => void
}

const HOUR_MS = 3_600_000

/**
 * Deletes what the limits let go, at once and then every hour, until the signal. What is old is told by the wall clock; where
 * that jumped since the last look, this look is left out: a clock that was wrong for a moment must cost nobody a history.
 */
export async function keepHistory(keeping: HistoryKeeping, signal: AbortSignal): Promise<void> {
  const {clock, limits} = keeping
  if (limits.maxAgeDays === undefined && limits.maxBytes === undefined) return
  const offset = (): number => clock.now() - clock.monotonic()
  let held = offset()
  while (!signal.aborted) {
    const now = offset()
    if (Math.abs(now - held) < HOUR_MS) await prune(keeping)
    held = now
    await clock.wait(HOUR_MS, signal)
  }
}

async function prune({store, clock, limits, onTrouble}: HistoryKeeping): Promise<void> {
  try {
    await store.prune(pruneOrder(limits, clock.now()))
  } catch (cause) {
    if (!(cause instanceof StoreFailure)) throw cause
    if (cause.error.kind !== 'closed') onTrouble?.(cause.error)
  }
}
