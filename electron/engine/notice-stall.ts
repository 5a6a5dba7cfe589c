import type {FrameDelivery} from './acknowledge.ts'
import type {SourceRun} from './source-run.ts'
import type {WatchDeps} from './watch-source.ts'

/** A callback that has run for so long is shown as stalled, in ms. Nothing is done to it: whether it hangs only its owner knows. */
const STALLED_MS = 10_000

/** Waits for the handling of a frame, and says so while it takes longer than anybody would expect. */
export async function noticingStall<T>(
  run: SourceRun,
  {clock, touched}: Pick<WatchDeps, 'clock' | 'touched'>,
  {journaled, attempt}: FrameDelivery,
  handling: Promise<T>,
): Promise<T> {
  const over = new AbortController()
  void clock.wait(STALLED_MS, over.signal).then(() => {
    if (over.signal.aborted) return
    run.notices.set('stalled', `attempt ${attempt} on frame ${journaled.id}`)
    touched()
  })
  try {
    return await handling
  } finally {
    over.abort()
    if (run.notices.delete('stalled')) touched()
  }
}
