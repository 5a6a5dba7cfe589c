import {epochMs} from '../../../../shared/base/units.ts'
import type {Clock} from '../../clock.ts'
import type {Dice} from './dice.ts'
import {heed, type Mortal} from './heed.ts'
import type {Schedule} from './schedule.ts'

/** The computer that the engine runs on: its clocks go on through every crash of the engine. */
export interface Machine {
  readonly jumpWall: (ms: number) => void
  /** Time that passed in the world and not on this machine. */
  readonly slept: (ms: number) => void
  readonly clockOf: (life: Mortal, dice: Dice) => Clock
}

/** Ms since the Unix epoch when a world begins. */
const EPOCH = 1_764_000_000_000

export function createMachine(schedule: Schedule, lateTimers: () => number): Machine {
  let wall = 0
  let asleep = 0
  let ids = 0
  return {
    jumpWall(ms) {
      wall += ms
    },
    slept(ms) {
      asleep += ms
    },
    clockOf: (life, dice) => ({
      now: () => epochMs(Math.round(EPOCH + schedule.now() + wall)),
      monotonic: () => schedule.now() - asleep,
      random: dice.next,
      uuid: () => `id-${++ids}`,
      wait(ms, signal) {
        if (signal.aborted) return Promise.resolve()
        const late = dice.chance(lateTimers()) ? dice.between(1, 300) : dice.next()
        return new Promise((resolve) => {
          const finish = (): void => {
            timer.cancel()
            unheed()
            resolve()
          }
          const timer = schedule.after(ms + late, 'timer', life, finish)
          const unheed = heed(life, signal, finish)
        })
      },
    }),
  }
}
