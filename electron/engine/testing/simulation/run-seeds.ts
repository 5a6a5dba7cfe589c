import type {Wire} from '../../../../shared/source/source.ts'
import {drawPlan} from './draw-plan.ts'
import {runPlan} from './run-seed.ts'
import {shrink} from './shrink.ts'
import {tellViolation} from './tell-violation.ts'
import type {Violation} from './verdict.ts'

export interface Failure {
  readonly seed: number
  readonly violation: Violation
}

export interface SeedRun {
  readonly seeds: number
  readonly steps: number
  readonly failures: readonly Failure[]
}

export interface SeedRange {
  readonly first: number
  readonly count: number
  /** Stop at the first violation. */
  readonly untilFirst?: boolean
  /** Passes over worlds that have no source of it. They count as seeds. */
  readonly wire?: Wire
}

/** Runs one world after another. */
export async function runSeeds({first, count, untilFirst = false, wire}: SeedRange): Promise<SeedRun> {
  const failures: Failure[] = []
  let steps = 0
  let seeds = 0
  for (let seed = first; seed < first + count; seed++) {
    const plan = drawPlan(seed)
    seeds += 1
    if (wire !== undefined && plan.sources.every((source) => source.wire !== wire)) continue
    const outcome = await runPlan(plan)
    steps += outcome.steps
    if (outcome.violation !== undefined) failures.push({seed, violation: outcome.violation})
    if (untilFirst && failures.length > 0) break
  }
  return {seeds, steps, failures}
}

/** Shrinks a failing seed and tells what is left of it. */
export async function explainSeed(seed: number, most: number): Promise<string> {
  const plan = drawPlan(seed)
  const rule = (await runPlan(plan)).violation?.rule
  if (rule === undefined) return `seed ${seed}: no violation`
  const shrunk = await shrink(plan, rule, async (smaller) => (await runPlan(smaller)).violation?.rule, most)
  const told = tellViolation(shrunk.plan, await runPlan(shrunk.plan, true))
  return `${told}\nshrunk from ${plan.items.length} items to ${shrunk.plan.items.length} in ${shrunk.tried} worlds`
}
