import {err, type Result} from '../../../../shared/base/result.ts'
import type {Dice} from './dice.ts'
import {heed, type Mortal} from './heed.ts'
import type {LineWeather} from './line.ts'
import {type Schedule, WORLD} from './schedule.ts'

export interface TransportWeather extends LineWeather {
  /** How often a request or its answer is lost, in [0, 1]. */
  readonly losses: () => number
}

interface Parts {
  readonly schedule: Schedule
  readonly dice: Dice
  readonly weather: TransportWeather
  readonly life: Mortal
}

/**
 * One request and its answer, each of which takes its time or never arrives.
 *
 * @param failed - what it is when nothing was answered, by the system's word
 */
export function asked<T, E>(
  {schedule, dice, weather, life}: Parts,
  deadlineMs: number,
  signal: AbortSignal,
  atServer: (reply: (answer: Result<T, E>) => void) => void,
  failed: (code: string) => E,
): Promise<Result<T, E>> {
  return new Promise((resolve) => {
    const finish = (answer: Result<T, E>): void => {
      deadline.cancel()
      unheed()
      resolve(answer)
    }
    const fail = (code: string): void => finish(err(failed(code)))
    const deadline = schedule.after(deadlineMs, 'timer', life, () => fail('ETIMEDOUT'))
    const unheed = heed(life, signal, () => fail('ABORTED'))
    if (signal.aborted) return fail('ABORTED')
    const isLost = (): boolean => dice.chance(weather.losses() / 2)
    if (dice.chance(weather.losses() / 4)) {
      schedule.after(weather.latency(), 'answer', life, () => fail('ECONNREFUSED'))
      return
    }
    if (isLost()) return
    schedule.after(weather.latency(), 'server', WORLD, () =>
      atServer((answer) => {
        if (!isLost()) schedule.after(weather.latency(), 'answer', life, () => finish(answer))
      }),
    )
  })
}
