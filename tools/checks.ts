import {describeOutcome, runSteps, type Step, type StepOutcome} from './run-step.ts'

/** Everything that is looked at without running the product. The slow ones first: two run at a time. */
const CHECKS: readonly Step[] = [
  {name: 'types', command: 'tsc', args: ['--build']},
  {name: 'lint', command: 'biome', args: ['check', '--error-on-warnings', '.']},
  {name: 'dead code', command: 'knip', args: ['--no-progress']},
  {name: 'imports', command: 'node', args: ['tools/check-imports.ts']},
  {name: 'sizes', command: 'node', args: ['tools/check-sizes.ts']},
]

export function runChecks(): Promise<readonly StepOutcome[]> {
  return runSteps(CHECKS, 2, (outcome) => console.log(describeOutcome(outcome)))
}
