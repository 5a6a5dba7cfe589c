import {runChecks} from './checks.ts'
import {describeOutcome, runStep} from './run-step.ts'

const began = performance.now()
const checks = await runChecks()
const args = ['run', '--project', 'unit', '--reporter=dot']
const unit = await runStep({name: 'unit tests', command: 'vitest', args}, 'kept')
console.log(describeOutcome(unit))

const failed = [...checks, unit].filter(({passed}) => !passed)
const seconds = ((performance.now() - began) / 1000).toFixed(1)
console.log(failed.length === 0 ? `all well in ${seconds} s` : `${failed.length} of ${checks.length + 1} failed`)
if (failed.length > 0) process.exitCode = 1
