import {epochMs} from '../../../shared/base/units.ts'
import {type Clock, systemClock} from '../clock.ts'

/**
 * Real time, so many times faster. A server and an engine on one such clock play a scenario of a minute in seconds, with every
 * proportion kept: heartbeats, deadlines, backoffs, callbacks.
 */
export function createFastClock(speed: number, random: () => number = Math.random): Clock {
  const real = systemClock()
  const epoch = real.now()
  const begun = real.monotonic()
  const elapsed = (): number => (real.monotonic() - begun) * speed
  return {
    now: () => epochMs(Math.round(epoch + elapsed())),
    monotonic: elapsed,
    wait: (ms, signal) => real.wait(ms / speed, signal),
    random,
    uuid: real.uuid,
  }
}

/** The same dice every time (mulberry32), so that a failure can be thrown again from its seed. In [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
