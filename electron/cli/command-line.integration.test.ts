import {writeFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {runProgram} from './program.ts'
import {jsonLines, runTidemark} from './testing/tidemark-process.ts'
import {told} from './testing/told.ts'

const CAPTURE = new URL('../../fixtures/switch-captures/gap_restart.2.sse', import.meta.url)
const BROKEN = 'id: 1\nevent: message\ndata: {"type":"message"}\n\nevent: message\ndata: {not json}\n\n'

/** The command line in this process. */
async function run(
  ...args: readonly string[]
): Promise<{readonly code: number; readonly lines: readonly string[]; readonly notes: readonly string[]}> {
  const output = told()
  const code = await runProgram(args, output)
  return {code, lines: output.lines, notes: output.notes}
}

function stored(text: string): string {
  const file = join(temporaryDirectory(), 'stored.sse')
  writeFileSync(file, text)
  return file
}

test.each([
  [[]],
  [['nonsense']],
  [['replay']],
  [['replay', 'x.sse']],
  [['replay', 'x.sse', '--protocol', 'carrier-pigeon']],
  [['replay', 'x.jsonl', '--protocol', 'prime', '--on-event', 'ok']],
  [['replay', 'x.jsonl', '--protocol', 'prime', '--on-gap', 'reject']],
  [['replay', 'x.jsonl', '--protocol', 'prime', '--start', '{"s":18}']],
  [['replay', 'x.jsonl', '--protocol', 'prime', '--start', '[]']],
  [['replay', 'x.jsonl', '--protocol', 'prime', '--chunks', '0']],
  [['replay', 'x.jsonl', '--protocol', 'prime', '--profile', '/nowhere']],
  [['replay', 'x.sse', '--protocol', 'switch', '--start', '{"s":-1}']],
  [['replay', 'x.sse', '--protocol', 'switch', '--start', '[]']],
  [['replay', 'x.sse', '--protocol', 'switch', '--chunks', '0']],
  [['replay', 'x.sse', '--protocol', 'switch', '--chunks', '1,,2']],
  [['replay', 'x.sse', '--protocol', 'switch', '--on-event', 'maybe']],
  [['replay', 'x.sse', '--protocol', 'switch', '--on-gap', 'reject', '--profile', '/nowhere']],
  [['replay', 'x.sse', '--protocol', 'switch', '--no-such-option']],
  [['serve', '--port', 'eighty']],
  [['serve', '--port', '65536']],
  [['sources', 'one', 'two']],
])('%j is wrong usage: exit 2, a word about it, and no result', async (args) => {
  const {code, lines, notes} = await run(...args)
  expect(code).toBe(2)
  expect(lines).toEqual([])
  expect(notes.join('').trim()).not.toBe('')
})

test.each([[['--help']], [['replay', '--help']], [['--version']]])('%j is an answer: exit 0', async (args) => {
  const {code, lines, notes} = await run(...args)
  expect(code).toBe(0)
  expect(lines.join('')).not.toBe('')
  expect(notes).toEqual([])
})

test('a profile that is not there cannot be listed, and none is made', async () => {
  for (const command of ['sources', 'positions', 'gaps']) {
    const {code, lines, notes} = await run(command, '--profile', join(temporaryDirectory(), 'none'), '--json')
    expect([command, code, lines]).toEqual([command, 1, []])
    expect(notes).toHaveLength(1)
  }
})

test('as JSON every line of a replay parses, whatever is in the stream, and the last is the end', async () => {
  const file = stored(
    `${BROKEN}event: gap\ndata: {"resumed_at":"2"}\n\nevent: new\ndata: {"text":"\\u001b[31m\\n"}\n\n: c\n\ndata: [1]\n\n`,
  )
  const {code, lines, notes} = await run('replay', file, '--protocol', 'switch', '--json')
  expect(code).toBe(0)
  expect(notes).toEqual([])
  expect(lines.map((line) => JSON.parse(line).fact)).toEqual(['frame', 'frame', 'gap', 'frame', 'frame', 'end'])
})

test('what is told to people holds no control character of the stream', async () => {
  const file = stored('event: a\u001b[31mb\ndata: {}\n\nevent: gap\ndata: {"reason":"\\u001b]0;title\\u0007"}\n\n')
  const {lines} = await run('replay', file, '--protocol', 'switch')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f]/.test(line))).toEqual([])
})

test.each([
  ['malformed', [], 3],
  ['rejected', ['--on-event', 'reject'], 3],
])('--strict ends with 3 where something was %s', async (_what, more, code) => {
  const file = stored(more.length === 0 ? BROKEN : BROKEN.slice(0, BROKEN.indexOf('\n\n') + 2))
  expect((await run('replay', file, '--protocol', 'switch', '--strict', ...more)).code).toBe(code)
  expect((await run('replay', file, '--protocol', 'switch', ...more)).code).toBe(0)
})

test('--strict ends with 0 where all was in order', async () => {
  const file = stored('id: 1\nevent: message\ndata: {"type":"message"}\n\n')
  expect((await run('replay', file, '--protocol', 'switch', '--strict')).code).toBe(0)
})

test('what is replayed into a profile is listed from it: source, position and gaps', async () => {
  const folder = temporaryDirectory()
  const profile = join(folder, 'profile')
  const file = join(folder, 'restart.sse')
  writeFileSync(file, await readFile(CAPTURE))
  expect((await run('replay', file, '--protocol', 'switch', '--start', '{"s":18}', '--profile', profile)).code).toBe(0)
  const positions = await run('positions', '--profile', profile, '--json')
  expect(positions.lines.map((line) => JSON.parse(line))).toMatchObject([{name: 'restart.sse', position: {s: 5}}])
  const gaps = await run('gaps', '--profile', profile, '--json')
  expect(gaps.lines.map((line) => JSON.parse(line))).toMatchObject([
    {fact: 'gap', outcome: 'ownReplaced', cursorReset: true, wentBack: ['s'], before: {s: 18}, after: {s: 3}},
  ])
  const sources = await run('sources', '--profile', profile, '--json')
  expect(sources.lines.map((line) => JSON.parse(line))).toMatchObject([
    {name: 'restart.sse', settings: {kind: 'recording'}, counts: {frames: 4, gaps: 1}, unhandled: 0},
  ])
})

test('as a process: standard input is replayed, results go to standard output alone, and the exit code tells the rest', async () => {
  const capture = await readFile(CAPTURE)
  const [whole, broken, unreadable, misused] = await Promise.all([
    runTidemark(
      ['replay', '-', '--protocol', 'switch', '--start', '{"s":18}', '--json', '--chunks', '1,2,7,3,11'],
      capture,
    ),
    runTidemark(['replay', '-', '--protocol', 'switch', '--json', '--strict'], BROKEN),
    runTidemark(['replay', '/nowhere/at/all.sse', '--protocol', 'switch', '--json']),
    runTidemark(['replay', '--json']),
  ])
  expect(whole).toMatchObject({code: 0, err: ''})
  expect(jsonLines(whole.out).at(-1)).toMatchObject({fact: 'end', position: {s: 5}})
  expect(broken).toMatchObject({code: 3, err: ''})
  expect(jsonLines(broken.out)).toHaveLength(3)
  expect(unreadable).toMatchObject({code: 1, out: ''})
  expect(unreadable.err).toContain('ENOENT')
  expect(misused).toMatchObject({code: 2, out: ''})
})
