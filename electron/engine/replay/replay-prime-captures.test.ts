import {readdirSync, readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {replayPrimeBytes} from './testing/replay-prime-text.ts'

const fixtures = new URL('../../../fixtures/', import.meta.url)
/** Records of the real daemon, version 0.8.0, at protocol 7. */
const captures = readdirSync(new URL('prime-captures/', fixtures)).filter((name) => name.endsWith('.jsonl'))

function capture(name: string): Buffer {
  return readFileSync(new URL(`prime-captures/${name}`, fixtures))
}

/** Worked out from the bytes by other means than this code, and compared with the note. */
function expected(name: string): readonly unknown[] {
  const text = readFileSync(new URL(`prime-replays/${name}`, fixtures), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** The same capture as the daemon sent it to one connection: no records, no names of connections. */
function bare(name: string, conn: string): string {
  const records = capture(name).toString().trimEnd().split('\n')
  const lines = records.map((line): {dir: string; conn: string; line: string} => JSON.parse(line))
  return lines.flatMap((one) => (one.dir === 'in' && one.conn === conn ? `${one.line}\r\n` : [])).join('')
}

describe.each(captures)('%s', (name) => {
  test('comes to the lines its bytes say, in the order of fields that is promised', async () => {
    const lines = await replayPrimeBytes(capture(name))
    expect(lines.map((line) => JSON.stringify(line))).toEqual(expected(name).map((line) => JSON.stringify(line)))
  })

  test('prints the same lines for every chunking', async () => {
    const whole = await replayPrimeBytes(capture(name))
    for (const chunks of [[1, 2, 7, 3, 11], [1], [65_536]])
      expect(await replayPrimeBytes(capture(name), {chunks})).toEqual(whole)
  })
})

const end = async (name: string, start?: object) => (await replayPrimeBytes(capture(name), {start: start ?? {}})).at(-1)

const WATCHED = '01a22d16-f118-70fe-b83b-5a8e333fcaa1'

test('an attach by any resume cursor and any capabilities is one snapshot, and replays nothing', async () => {
  expect(await end('03-resume-cursors.jsonl')).toMatchObject({
    sessions: [{session: WATCHED, cursor: {generation: 'da65790f3c68', sequence: 59}, events: 0, snapshots: 17}],
    malformed: 0,
  })
})

test('what the daemon calls complete hides no hole: the numbers behind the own cursor were not seen', async () => {
  const start = {[WATCHED]: {generation: 'da65790f3c68', sequence: 50}}
  expect(await end('03-resume-cursors.jsonl', start)).toMatchObject({sessions: [{holes: 1, notSeen: 9}]})
})

test('a session reopened after a crash keeps its id, in a new generation whose head was not seen', async () => {
  const start = {[WATCHED]: {generation: 'da65790f3c68', sequence: 71}}
  expect(await end('05-reopen-after-crash.jsonl', start)).toMatchObject({
    sessions: [{cursor: {generation: '355f4184cef9', sequence: 0}, retired: ['da65790f3c68'], holes: 0, snapshots: 1}],
  })
})

test('a supervisor that is replaced resets nothing', async () => {
  const lines = await replayPrimeBytes(capture('08-restart-shutdown.jsonl'))
  expect(lines.map((line) => ('decision' in line ? line.decision : line.fact))).toEqual([
    'adopted',
    'unchanged',
    'next',
    'end',
  ])
})

test('a number that was a question to another client is a hole of one', async () => {
  const lines = await replayPrimeBytes(capture('11-demo-from-scratch.jsonl'))
  const holes = lines.filter((line) => line.fact === 'frame' && line.decision === 'hole')
  expect(holes).toMatchObject([
    {generation: '0762effa9b4d', sequence: 87, missing: 1},
    {generation: '990e1dbb1f7f', sequence: 87, missing: 1},
  ])
})

test('plain JSON lines come to the same as records, without the name of a connection', async () => {
  const records = await replayPrimeBytes(capture('11-demo-from-scratch.jsonl'))
  const plain = await replayPrimeBytes(bare('11-demo-from-scratch.jsonl', 'observer'), {chunks: [1, 2, 7, 3, 11]})
  expect(plain).toEqual(records.map((line) => ('conn' in line ? without(line, 'conn') : line)))
})

function without(line: object, field: string): object {
  return Object.fromEntries(Object.entries(line).filter(([key]) => key !== field))
}
