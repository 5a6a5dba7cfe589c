import type {Plan} from './plan.ts'
import type {Outcome} from './simulate.ts'

const LINES = 60
const WIDTH = 400

/** A violation as somebody wants to read it who has to find its cause. */
export function tellViolation(plan: Plan, {violation, tail}: Outcome): string {
  if (violation === undefined) return `seed ${plan.seed}: no violation`
  const {rule, detail, at} = violation
  return [
    `seed ${plan.seed}, ${at.toFixed(3)} ms into the world: ${rule}`,
    `  ${detail}`,
    'sources:',
    ...plan.sources.map((source) => `  ${JSON.stringify(source)}`),
    `weather: ${JSON.stringify(plan.weather)}`,
    `items (calm from ${plan.calmAt} ms):`,
    ...plan.items.map((item) => `  ${JSON.stringify(item)}`),
    'what happened last:',
    ...tail.slice(-LINES).map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line)),
  ].join('\n')
}
