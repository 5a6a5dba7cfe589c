import {z} from 'zod'

/** Tests that really ran. */
export interface Count {
  readonly passed: number
  readonly failed: number
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({status: z.string(), assertionResults: z.array(z.unknown())})),
})

const playwrightReport = z.object({
  stats: z.object({expected: z.number(), unexpected: z.number(), flaky: z.number()}),
})

/**
 * Counts a vitest JSON report. A file that does not load holds no tests and counts as one failed.
 *
 * @param exitedWell - false: something failed, so at least one failure is counted, whatever the report says
 */
export function countVitest(report: unknown, exitedWell: boolean): Count {
  const parsed = vitestReport.safeParse(report)
  if (!parsed.success) return {passed: 0, failed: 1}
  const {numPassedTests, numFailedTests, testResults} = parsed.data
  const unloaded = testResults.filter(
    ({status, assertionResults}) => status === 'failed' && assertionResults.length === 0,
  )
  return atLeastOneFailed({passed: numPassedTests, failed: numFailedTests + unloaded.length}, exitedWell)
}

/** Counts a Playwright JSON report. A test that passed only at a second try failed. */
export function countPlaywright(report: unknown, exitedWell: boolean): Count {
  const parsed = playwrightReport.safeParse(report)
  if (!parsed.success) return {passed: 0, failed: 1}
  const {expected, unexpected, flaky} = parsed.data.stats
  return atLeastOneFailed({passed: expected, failed: unexpected + flaky}, exitedWell)
}

export function addCounts(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((sum, {passed}) => sum + passed, 0),
    failed: counts.reduce((sum, {failed}) => sum + failed, 0),
  }
}

function atLeastOneFailed(count: Count, exitedWell: boolean): Count {
  return exitedWell || count.failed > 0 ? count : {...count, failed: 1}
}
