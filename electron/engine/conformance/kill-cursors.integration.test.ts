import {expect, test} from 'vitest'
import {COMMANDS, CURSORS, runSeries} from '../testing/kill/run-kills.ts'

/*
 * As beside it, for streams of cursors, whose servers die too, and for a handler of the user's: a command that leaves behind what
 * ignores SIGTERM.
 */

const SEED = 20_260_101
/** For a machine that has much else to do: a life is a whole process. */
const PATIENT = {timeout: 900_000}

test.each([...CURSORS, ...COMMANDS].map((series) => [series.name, series] as const))(
  'killed %s, nothing that was received is lost, passed or repeated without a word',
  PATIENT,
  async (_name, series) => {
    const kills = await runSeries(series, 1, SEED)
    expect(kills.filter(({violations}) => violations.length > 0)).toEqual([])
    expect(kills.length).toBeGreaterThan(2)
  },
)
