import {setTimeout as delay} from 'node:timers/promises'
import type {VirtualClock} from './virtual-clock.ts'
import type {Wiretap} from './wiretap.ts'

/** No step of virtual time is longer while a socket could still bring something, in ms. */
const LONGEST_STEP_MS = 2_000
/** What a loopback socket needs to bring what was written, and then some. In ms. */
const SOCKETS_MS = 4

/**
 * Lets virtual time pass for a client on real sockets: in steps, and after each step what is under way may arrive. Nothing
 * waits longer than a moment, so an answer that never comes stands still in real time only.
 */
export async function passTime(clock: VirtualClock, ms: number, tap: Pick<Wiretap, 'unanswered'>): Promise<void> {
  let left = ms
  while (left > 0) {
    const next = clock.untilNext()
    const step = next === undefined ? left : Math.max(1, Math.min(left, next, LONGEST_STEP_MS))
    await clock.advance(step)
    left -= step
    await settleSockets(tap)
  }
}

export async function settleSockets(tap: Pick<Wiretap, 'unanswered'>): Promise<void> {
  for (let look = 0; look < 10; look++) {
    await delay(SOCKETS_MS)
    if (tap.unanswered() === 0) return
  }
}
