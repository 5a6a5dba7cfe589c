import {expect, test} from 'vitest'
import {ANY_MOMENT, runSeries, SCENARIOS, STEPS} from '../testing/kill/run-kills.ts'

/*
 * A watching process is killed with SIGKILL between any two steps of a frame, and at any moment; another one opens the same
 * profile and goes on. The server lives in this process and survives. `npm run kill` does the same for minutes.
 */

const SEED = 20_260_101
/** For a machine that has much else to do: a life is a whole process. */
const PATIENT = {timeout: 600_000}

test.each([...STEPS, ...ANY_MOMENT].map((series) => [series.name, series] as const))(
  'killed %s, no cursor passes an unhandled frame and no handled one is lost',
  PATIENT,
  async (_name, series) => {
    const kills = await runSeries(series, 1, SEED)
    expect(kills.filter(({violations}) => violations.length > 0)).toEqual([])
    expect(kills.length).toBeGreaterThan(3)
  },
)

/** The others are the long run's. */
const LOOKED_AT = ['backward-reset', 'reject-once', 'eviction']

test.each(
  SCENARIOS.filter(({name}) => LOOKED_AT.some((one) => name.endsWith(` ${one}`))).map(
    (one) => [one.name, one] as const,
  ),
)('killed %s, it comes to its end all the same', PATIENT, async (_name, series) => {
  const kills = await runSeries(series, 1, SEED)
  expect(kills.filter(({violations}) => violations.length > 0)).toEqual([])
})
