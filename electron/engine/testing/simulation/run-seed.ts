import {setImmediate as nextTurn} from 'node:timers/promises'
import {wordsOf} from './life.ts'
import type {Plan} from './plan.ts'
import {type Outcome, simulate} from './simulate.ts'

/**
 * Runs one world, and lets the loop turn afterwards: a promise of the engine that was rejected with nobody listening is told
 * only then, and is a violation like any other.
 */
export async function runPlan(plan: Plan, keepsTrace = false): Promise<Outcome> {
  const unheard: unknown[] = []
  const hear = (cause: unknown): void => void unheard.push(cause)
  process.on('unhandledRejection', hear)
  try {
    const outcome = await simulate(plan, keepsTrace)
    await nextTurn()
    const [first] = unheard
    if (first === undefined || outcome.violation !== undefined) return outcome
    return {...outcome, violation: {rule: 'the engine threw', detail: wordsOf(first), at: 0}}
  } finally {
    process.off('unhandledRejection', hear)
  }
}
