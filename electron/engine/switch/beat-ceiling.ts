import {classifySwitchFrame} from '../../../shared/frames/classify-switch-frame.ts'
import type {Arrival, RawFrame} from '../../../shared/frames/raw-frame.ts'
import {OWN} from '../../../shared/position/position.ts'

/**
 * What a beat may report at most while a gap that goes back is here and not acknowledged yet. The server takes a beat's
 * cursor, up to its own head, as "delivered": the old, higher number would make it skip what comes after its reset (Switch
 * note, sections 5 and 8). A number that is too low costs nothing there.
 */
export interface BeatCeiling {
  /** So many more arrivals wait to be handled. */
  readonly received: (arrivals: readonly Arrival[]) => void
  /** The oldest so many of them are handled, and what they did is acknowledged. */
  readonly handled: (count: number) => void
  readonly limit: (own: number) => number
}

export function createBeatCeiling(): BeatCeiling {
  let received = 0
  let handled = 0
  let gaps: readonly {readonly at: number; readonly resumes: number}[] = []
  return {
    received(arrivals) {
      for (const arrival of arrivals) {
        const at = received++
        if (arrival.kind === 'frame' && arrival.frame.event === 'gap')
          gaps = [...gaps, {at, resumes: resumesAt(arrival.frame)}]
      }
    },
    handled(count) {
      handled += count
      gaps = gaps.filter(({at}) => at >= handled)
    },
    limit: (own) => Math.min(own, ...gaps.map(({resumes}) => resumes)),
  }
}

/** The own sequence a gap leads to: 0 where its vector has none, no limit where it moves nothing or is refused. */
function resumesAt(raw: RawFrame): number {
  const frame = classifySwitchFrame(raw)
  if (!frame.ok || frame.value.kind !== 'gap') return Number.POSITIVE_INFINITY
  const {update} = frame.value
  if (update.kind === 'replacement') return update.resumed.get(OWN) ?? 0
  return update.kind === 'ownReplacement' ? update.own : Number.POSITIVE_INFINITY
}
