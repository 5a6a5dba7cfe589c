import {mkdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {runChecks} from './checks.ts'
import {addCounts, type Count, countPlaywright, countVitest} from './count-tests.ts'
import {provideBrowser} from './provide-browser.ts'
import {describeOutcome, ROOT, runStep, type StepOutcome} from './run-step.ts'

// Everything that can be tested here, in one run whose last line is the count.

const reports = join(ROOT, '.cache', 'reports')
rmSync(reports, {recursive: true, force: true})
mkdirSync(reports, {recursive: true})

const browser = await provideBrowser()
const build = await runStep({name: 'build', command: 'node', args: ['tools/build.ts']}, 'kept')
console.log(describeOutcome(build))
const checks = await runChecks()
const counts = [
  ...[build, ...checks].map(asCount),
  await runVitest('unit'),
  await runVitest('integration'),
  await runEndToEnd('host', browser),
  // The stand-in is made for Linux; elsewhere `npm run e2e:electron` has the real one.
  ...(process.platform === 'linux'
    ? [await runEndToEnd('stand-in for Electron', browser), await runPackaged(browser)]
    : []),
]

const {passed, failed} = addCounts(counts)
if (passed === 0 || failed > 0) process.exitCode = 1
console.log(`${passed} passed, ${failed} failed`)

function asCount({passed}: StepOutcome): Count {
  return passed ? {passed: 1, failed: 0} : {passed: 0, failed: 1}
}

async function runVitest(project: string): Promise<Count> {
  const report = join(reports, `${project}.json`)
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const outcome = await runStep({name: project, command: 'vitest', args}, 'live')
  return countVitest(readReport(report), outcome.passed)
}

async function runEndToEnd(project: string, executable: string | undefined): Promise<Count> {
  if (executable === undefined) return {passed: 0, failed: 1}
  const report = join(reports, `e2e ${project}.json`)
  const env = {TIDEMARK_BROWSER: executable, PLAYWRIGHT_JSON_OUTPUT_FILE: report}
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--project', project, '--reporter=list,json']
  const outcome = await runStep({name: `e2e ${project}`, command: 'playwright', args, env}, 'live')
  return countPlaywright(readReport(report), outcome.passed)
}

/** Packs the app and starts what was packed. The packing itself counts as one. */
async function runPackaged(executable: string | undefined): Promise<Count> {
  if (executable === undefined) return {passed: 0, failed: 1}
  const report = join(reports, 'packaged.json')
  const env = {TIDEMARK_BROWSER: executable, PLAYWRIGHT_JSON_OUTPUT_FILE: report}
  const outcome = await runStep({name: 'package', command: 'node', args: ['tools/package-dir.ts'], env}, 'live')
  return addCounts([asCount(outcome), countPlaywright(readReport(report), outcome.passed)])
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // the run died before it could report, which counts as a failure
  }
}
