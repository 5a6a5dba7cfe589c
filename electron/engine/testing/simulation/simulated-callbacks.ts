import type {Callbacks, Delivery} from '../../callbacks.ts'
import type {Dice} from './dice.ts'
import {heed, type Mortal} from './heed.ts'
import type {Run} from './runs.ts'
import type {Schedule} from './schedule.ts'

interface Parts {
  readonly schedule: Schedule
  /** Thrown anew for each frame and attempt, so that they are the same whatever happened before. */
  readonly dice: Dice
  readonly life: Mortal
  /** How often one rejects, hangs or takes long, in [0, 1]. */
  readonly faults: (callback: keyof Callbacks) => number
  readonly began: (key: string, attempt: number, signal: AbortSignal) => Run
  /** It hangs until somebody lets it go. */
  readonly hangs: (release: () => void) => void
}

/** Callbacks of a world outside: each begun run has its effect at once, and ends as the dice say. */
export function simulatedCallbacks(parts: Parts): Callbacks {
  return {
    onEvent: (delivery, signal) => runOne(parts, parts.faults('onEvent'), delivery, signal),
    onGap: (delivery, signal) => runOne(parts, parts.faults('onGap'), delivery, signal),
  }
}

function runOne(parts: Parts, faults: number, {frame, attempt}: Delivery, signal: AbortSignal): Promise<void> {
  const {schedule, life} = parts
  const key = `${frame.event} ${JSON.stringify(frame.data)}`
  const run = parts.began(key, attempt, signal)
  const dice = parts.dice.fork(`${key} ${attempt}`)
  return new Promise((resolve, reject) => {
    const end = (state: 'resolved' | 'rejected', why: string): void => {
      if (run.state !== 'running') return
      run.state = state
      if (state === 'resolved') resolve()
      else reject(new Error(why))
    }
    // Most heed their signal: given up, they reject. Some go on.
    if (dice.chance(0.7)) heed(life, signal, () => end('rejected', 'given up'))
    const after = (ms: number, state: 'resolved' | 'rejected'): void =>
      void schedule.after(ms, 'callback', life, () => end(state, 'failed'))
    if (signal.aborted && dice.chance(0.5)) return end('rejected', 'given up')
    if (faults > 0 && isPoison(key) && attempt <= parts.dice.fork(key).below(5))
      return after(dice.between(0, 50), 'rejected')
    if (!dice.chance(faults)) return after(dice.between(0, dice.pick([1, 30, 400])), 'resolved')
    const fault = dice.pick(['reject', 'reject', 'late', 'hang'])
    if (fault === 'reject') return after(dice.between(0, 200), 'rejected')
    if (fault === 'late') return after(dice.between(1_000, 20_000), 'resolved')
    parts.hangs(() => after(dice.between(0, 2_000), dice.pick(['resolved', 'resolved', 'rejected'])))
  })
}

function isPoison(key: string): boolean {
  return key.includes('"$poison.') || key.includes('"poison.')
}
