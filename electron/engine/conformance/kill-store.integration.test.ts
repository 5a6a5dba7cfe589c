import {expect, test} from 'vitest'
import {FULL_DISK, runSeries, STORE} from '../testing/kill/run-kills.ts'

/* As beside it, but the thread that writes the store is blocked at a step of a transaction, or let go into its commit. */

const SEED = 20_260_101
/** For a machine that has much else to do: a life is a whole process. */
const PATIENT = {timeout: 600_000}

test.each(STORE.map((series) => [series.name, series] as const))(
  'killed %s, the store opens clean, and what was durable is there',
  PATIENT,
  async (_name, series) => {
    const kills = await runSeries(series, 1, SEED)
    expect(kills.filter(({violations}) => violations.length > 0)).toEqual([])
    expect(kills.length).toBeGreaterThan(3)
  },
)

test(
  'killed on a disk that became full, nothing that was durable is gone, and with space again it goes on',
  PATIENT,
  async () => {
    const kills = await runSeries(FULL_DISK, 1, SEED)
    expect(kills.filter(({violations}) => violations.length > 0)).toEqual([])
  },
)
