import {afterBeatRefused} from '../../../shared/source/refusal.ts'
import type {Ending, Heartbeat} from '../../../shared/source/source-machine.ts'
import type {Clock} from '../clock.ts'
import type {SwitchTransport} from './transport.ts'

const LONGEST_PAUSE_MS = 30_000
/** A wait that took this much longer than asked: the machine slept. */
const SLEPT_MS = 5_000

export interface Beating {
  readonly transport: SwitchTransport
  readonly clock: Clock
  readonly connectionId: string
  readonly generation?: number
  readonly intervalMs: number
  /** Read at every beat but the first: what is acknowledged now, and never more. A number above it would make the server skip events. */
  readonly own: () => number
  readonly onHeartbeat: (heartbeat: Heartbeat) => void
  /** Ends with the stream that these beats keep alive; an answer that comes later says nothing about its successor. */
  readonly signal: AbortSignal
}

/**
 * Keeps one open stream alive with a beat every 2 s, on its own timer, whatever the handling of frames does. Returns why the
 * stream must end, or `undefined` where the signal ended it.
 */
export async function keepBeating(beating: Beating): Promise<Ending | undefined> {
  const {clock, signal} = beating
  let failures = 0
  let slept = false
  // The first beat reports nothing: a stream may begin with a gap that goes back, which may not be here yet.
  let own = 0
  while (!signal.aborted) {
    const {connectionId, generation} = beating
    const answer = await beating.transport.beat(
      {connectionId, cursor: own, ...(generation === undefined ? {} : {generation})},
      signal,
    )
    if (signal.aborted) return undefined
    if (!answer.ok && afterBeatRefused(answer.error) !== 'slower') {
      return slept && afterBeatRefused(answer.error) === 'reopen'
        ? {kind: 'asleep'}
        : {kind: 'beatRefused', refusal: answer.error}
    }
    failures = answer.ok ? 0 : failures + 1
    beating.onHeartbeat(answer.ok ? 'fresh' : 'stale')
    const pause = failures === 0 ? beating.intervalMs : Math.min(2_000 * 2 ** (failures - 1), LONGEST_PAUSE_MS)
    slept = await sleptThrough(pause, clock, signal)
    own = beating.own()
  }
  return undefined
}

async function sleptThrough(pause: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const before = clock.now()
  await clock.wait(pause, signal)
  return clock.now() - before > pause + SLEPT_MS
}
