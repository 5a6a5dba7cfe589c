import {parseArgs} from 'node:util'
import {drawPlan} from '../electron/engine/testing/simulation/draw-plan.ts'
import {runPlan} from '../electron/engine/testing/simulation/run-seed.ts'
import {explainSeed, runSeeds} from '../electron/engine/testing/simulation/run-seeds.ts'

/*
 * The whole engine in simulated worlds, one a seed: `npm run simulate -- --seeds 10000`. A seed that broke a rule is run
 * again and told in full by `npm run simulate -- --seed S`.
 */

const {values} = parseArgs({
  options: {
    seeds: {type: 'string', default: '10000'},
    first: {type: 'string', default: '1'},
    seed: {type: 'string'},
    trace: {type: 'boolean', default: false},
  },
})

/** Worlds that may be tried to make a failing one smaller. */
const SHRINKING = 400
/** Explained in full where many fail; of the others the seed is named. */
const EXPLAINED = 3
/** Seeds between two lines of progress. */
const STRETCH = 500

if (values.seed === undefined) await runMany(Number(values.first), Number(values.seeds))
else await runOne(Number(values.seed))

async function runMany(first: number, count: number): Promise<void> {
  const began = performance.now()
  let violations = 0
  let steps = 0
  for (let at = first; at < first + count; at += STRETCH) {
    const run = await runSeeds({first: at, count: Math.min(STRETCH, first + count - at)})
    steps += run.steps
    for (const {seed, violation} of run.failures) {
      console.log(`seed ${seed}: ${violation.rule}`)
      if (violations++ < EXPLAINED) console.log(await explainSeed(seed, SHRINKING))
    }
    console.error(`${at + run.seeds - first} seeds, ${steps} events, ${seconds(began)} s`)
  }
  finish(count, violations)
}

async function runOne(seed: number): Promise<void> {
  const outcome = await runPlan(drawPlan(seed), true)
  if (values.trace) console.log(outcome.tail.join('\n'))
  if (outcome.violation !== undefined) console.log(await explainSeed(seed, SHRINKING))
  else console.log(`seed ${seed}: no violation in ${outcome.steps} events; its trace is ${outcome.hash}`)
  finish(1, outcome.violation === undefined ? 0 : 1)
}

function finish(seeds: number, violations: number): void {
  if (violations > 0) process.exitCode = 1
  console.log(`${seeds} seeds, ${violations} violations`)
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(0)
}
