import {boot, happen, strikeAfter} from './happen.ts'
import {calm, look} from './look.ts'
import type {Plan} from './plan.ts'
import {WORLD} from './schedule.ts'
import {untilQuiet} from './until-quiet.ts'
import type {Violation} from './verdict.ts'
import {createWorld} from './world.ts'

export interface Outcome {
  readonly violation: Violation | undefined
  /** Events of the world. */
  readonly steps: number
  /** Of the whole trace; empty where it was not kept. */
  readonly hash: string
  readonly tail: readonly string[]
}

/** No world needs so many events: something goes round in circles. */
const MOST_STEPS = 200_000

/** Runs one world to its end: until everything caught up, or a rule is broken. */
export async function simulate(plan: Plan, keepsTrace = false): Promise<Outcome> {
  const world = createWorld(plan, keepsTrace)
  const {schedule, verdict, trace} = world
  let steps = 0
  for (const item of plan.items)
    if (item.kind !== 'server') schedule.after(item.at, 'plan', WORLD, () => happen(world, item))
  schedule.after(plan.calmAt, 'plan', WORLD, () => calm(world))
  boot(world)
  await untilQuiet()
  for (let event = schedule.next(); event !== undefined; event = schedule.next()) {
    steps += 1
    event.run()
    await untilQuiet()
    await look(world, event.tag)
    if (verdict.violation() !== undefined || world.isOver) break
    strikeAfter(world, event.tag)
    if (steps > MOST_STEPS) verdict.broken('a source did not catch up', 'too many events')
  }
  return {violation: verdict.violation(), steps, hash: trace.hash(), tail: trace.tail()}
}
