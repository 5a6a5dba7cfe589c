import {expect, test} from 'vitest'
import {COMMANDS, CURSORS, runSeries, STEPS} from '../testing/kill/run-kills.ts'

/* The proof that the proof works: a bug is planted in the shipped source of each child, and its deaths must tell. */

const SEED = 20_260_101
const PATIENT = {timeout: 600_000}

/** What a death says of each; the series that is to find it. */
const BUGS: readonly (readonly [bug: string, series: RegExp, found: RegExp])[] = [
  ['the cursor moves before the callback', /steps of an event$/, /^out of order/],
  ['the position is kept in memory only', /steps of an event$/, /^the bytes of what is handled lead to/],
  ['a gap is applied before its callback', /steps of a gap/, /the gap is applied$/],
  [
    'a gap leaves coordinates standing that it does not name',
    /steps of a gap/,
    /^the bytes of what is handled lead to/,
  ],
  ['what waits is forgotten at a restart', /left over/, /^the cursor passed what waits|^the stream was opened before/],
  [
    'a frame from the journal is called the first attempt again',
    /left over/,
    /^a second effect is not announced|^what a death cut off did not/,
  ],
  [
    'what waits is forgotten at a restart',
    /event of a daemon/,
    /^the cursor passed what waits|^numbers of .* that nothing/,
  ],
  ['the position is kept in memory only', /numbered event over socket/, /^what is handled leads to/],
  ['a repetition has an idempotency key of its own', /webhook/, /^told again by another key/],
  [
    'nobody sees to it that a command ends with its Tidemark',
    /command of the user's$/,
    /everything that commands started to be gone/,
  ],
  ['a file is opened again without a sync for every commit', /without callbacks/, /^a connection that does not sync/],
]

test.each(BUGS)('deaths tell that %s, killed %s', PATIENT, async (bug, name, found) => {
  const series = [...STEPS, ...CURSORS, ...COMMANDS].find((one) => name.test(one.name))
  if (series === undefined) throw new Error('no such series')
  const kills = await runSeries(series, 1, SEED, bug)
  const violations = kills.flatMap((kill) => kill.violations)
  expect(violations.filter((violation) => found.test(violation)).length).toBeGreaterThan(0)
})
