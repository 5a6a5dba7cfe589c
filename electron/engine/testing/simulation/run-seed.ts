import {setImmediate as nextTurn} from 'node:timers/promises'
import {wordsOf} from './life.ts'
import type {Plan} from './plan.ts'
import {type Outcome, simulate} from './simulate.ts'

/**
 * Where no trace is kept nobody reads where an error was made either, and to find that out takes a twentieth of the time: every
 * signal that aborts is one. Whoever explains a seed runs it again with its trace.
 */
const KEPT_CALLS = 0

/**
 * Runs one world, and lets the loop turn afterwards: a promise of the engine that was rejected with nobody listening is told
 * only then, and is a violation like any other.
 */
export async function runPlan(plan: Plan, keepsTrace = false): Promise<Outcome> {
  const unheard: unknown[] = []
  const hear = (cause: unknown): void => void unheard.push(cause)
  const {stackTraceLimit} = Error
  process.on('unhandledRejection', hear)
  if (!keepsTrace) Error.stackTraceLimit = KEPT_CALLS
  try {
    const outcome = await simulate(plan, keepsTrace)
    await nextTurn()
    const [first] = unheard
    if (first === undefined || outcome.violation !== undefined) return outcome
    return {...outcome, violation: {rule: 'the engine threw', detail: wordsOf(first), at: 0}}
  } finally {
    process.off('unhandledRejection', hear)
    Error.stackTraceLimit = stackTraceLimit
  }
}
