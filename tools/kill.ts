import {parseArgs} from 'node:util'
import {
  ANY_MOMENT,
  COMMANDS,
  CURSORS,
  FULL_DISK,
  runSeries,
  SCENARIOS,
  type Series,
  STEPS,
  STORE,
} from '../electron/engine/testing/kill/run-kills.ts'
import type {Kill} from '../electron/engine/testing/kill/ward.ts'

/*
 * A watching process killed with SIGKILL at every step and at any moment, some hundred times, and looked at after each death:
 * `npm run kill`. One series again: `npm run kill -- --series gap --seed S`.
 */

const {values} = parseArgs({
  options: {
    /** A part of the names of those that are to run. */
    series: {type: 'string', default: ''},
    seed: {type: 'string', default: '20260101'},
    /** How often each step is tried; as many as make a proof where not said. */
    rounds: {type: 'string'},
  },
})

/** Each life is a process that starts, most of the time on one core. */
const AT_ONCE = 2

const began = performance.now()
const waiting = [...STEPS, ...CURSORS, ...COMMANDS, ...STORE, FULL_DISK, ...ANY_MOMENT, ...SCENARIOS].filter(({name}) =>
  name.includes(values.series),
)
const kills: Kill[] = []
await Promise.all(Array.from({length: AT_ONCE}, work))
report(kills)

async function work(): Promise<void> {
  for (let series = waiting.shift(); series !== undefined; series = waiting.shift())
    kills.push(...(await tried(series)))
}

async function tried(series: Series): Promise<readonly Kill[]> {
  const rounds = values.rounds === undefined ? series.rounds : Number(values.rounds)
  const done = await runSeries(series, rounds, Number(values.seed))
  const violations = done.flatMap((kill) => kill.violations)
  console.error(`${done.length} kills ${series.name}, ${violations.length} violations, ${seconds()} s`)
  return done
}

function report(all: readonly Kill[]): void {
  const steps = [...Map.groupBy(all, ({step}) => step)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [step, those] of steps) console.log(`${String(those.length).padStart(5)}  ${step}`)
  const violations = all.flatMap(({step, violations: found}) => found.map((one) => `killed at "${step}": ${one}`))
  for (const violation of violations) console.log(violation)
  if (violations.length > 0 || all.length === 0) process.exitCode = 1
  console.log(`${all.length} kills, ${violations.length} violations`)
}

function seconds(): string {
  return ((performance.now() - began) / 1000).toFixed(0)
}
