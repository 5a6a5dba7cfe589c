import {expect, test} from 'vitest'
import {primeScenarios} from '../../demo/prime/scenarios.ts'
import {watchScenario} from '../../demo/prime/testing/watch-scenario.ts'
import {replayPrimeBytes} from './testing/replay-prime-text.ts'

/** What a watcher of a scenario was sent in its first 30 s, as records. */
function seen(name: string, chunked: boolean): string {
  const scenario = primeScenarios.find((one) => one.name === name)
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  const lines = watchScenario({scenario, untilMs: 30_000, chunked})
  return lines.map(({connection, line}) => `${JSON.stringify({dir: 'in', conn: String(connection), line})}\n`).join('')
}

async function ended(name: string, chunked: boolean) {
  const last = (await replayPrimeBytes(seen(name, chunked))).at(-1)
  if (last?.fact !== 'end') throw new Error('a replay ends with its end line')
  return last
}

test.each(primeScenarios.map(({name}) => name))(
  '%s comes to the same cursors with chunks and without',
  async (name) => {
    const [chunked, whole] = [await ended(name, true), await ended(name, false)]
    const cursors = ({sessions}: typeof whole) =>
      sessions.map(({session, cursor, retired}) => ({session, cursor, retired}))
    expect(cursors(chunked)).toEqual(cursors(whole))
  },
)

test.each([
  ['bad-lines', 4, 2],
  ['huge-line', 1, 0],
  ['snapshot-failed', 0, 0],
  ['snapshot-duplicated', 0, 0],
  ['snapshot-missing-chunk', 1, 0],
  ['snapshot-wrong-count', 1, 0],
  ['tour', 0, 0],
])('%s: %i malformed, %i unknown', async (name, malformed, unknown) => {
  expect(await ended(name, true)).toMatchObject({malformed, unknown})
})

test('a client that takes chunks is told of a replacement twice, and counts it once', async () => {
  expect(await ended('replace', true)).toMatchObject({
    sessions: [
      {events: 5, duplicates: 1, snapshots: 1},
      {events: 18, duplicates: 0, snapshots: 1, notSeen: 0},
    ],
  })
})
