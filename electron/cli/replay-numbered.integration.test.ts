import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {findNumberedScenario} from '../demo/numbered/scenarios.ts'
import {startNumberedServer} from '../demo/numbered/server.ts'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {createFastClock} from '../engine/testing/fast-clock.ts'
import {runProgram} from './program.ts'
import {told} from './testing/told.ts'

async function replay(...args: readonly string[]) {
  const output = told()
  const code = await runProgram(['replay', ...args], output)
  return {code, lines: output.lines, notes: output.notes}
}

const numbered = (...args: readonly string[]) => replay('--protocol', 'numbered', ...args)

function stored(text: string): string {
  const file = join(temporaryDirectory(), 'stored')
  writeFileSync(file, text)
  return file
}

const line = (generation: number, sequence: number): string =>
  `${JSON.stringify({type: 'note', cursor: {generation, sequence}})}\n`

test('what a server of numbered streams wrote and what it sends replay alike, as lines and as events', async () => {
  const file = join(temporaryDirectory(), 'stream.jsonl')
  const scenario = findNumberedScenario('still') ?? expect.fail('no such scenario')
  const server = await startNumberedServer({scenario, clock: createFastClock(10), file})
  onTestFinished(server.close)
  for (const text of ['a', 'b']) server.act({kind: 'event', event: {kind: 'note', text}})
  server.act({kind: 'snapshot', reason: 'checkpoint'})
  const response = await fetch(server.sse)
  const reader = response.body?.getReader() ?? expect.fail('no body')
  let body = ''
  while (!body.includes('"generation":2')) body += new TextDecoder().decode((await reader.read()).value)
  await reader.cancel()

  const lines = await numbered(file, '--json', '--strict')
  expect([lines.code, lines.notes]).toEqual([0, []])
  expect(JSON.parse(lines.lines.at(-1) ?? '')).toMatchObject({
    fact: 'end',
    cursor: {generation: 2, sequence: 0},
    frames: 4,
    handled: 4,
    generations: [
      {generation: 1, first: 0, last: 2, events: 3},
      {generation: 2, first: 0, last: 0, events: 1},
    ],
  })
  const sse = stored(body)
  expect((await numbered(sse, '--format', 'sse', '--json', '--strict')).lines).toEqual(lines.lines)
  expect((await numbered(sse, '--cursor-id', 'json', '--json', '--strict')).lines).toEqual(lines.lines)
})

test('for people it says what was not seen, and where a numbering began anew', async () => {
  const file = stored(`${line(1, 0)}${line(1, 4)}${line(3, 0)}x\n`)
  expect((await numbered(file, '--start', '{"generation":1,"sequence":0}')).lines).toEqual([
    '1  note  duplicate  {1, 0}  not greater',
    '2  note  handled  {1, 4}  hole (3 not seen)',
    '3  note  handled  {3, 0}  new generation (1 generations not seen)',
    '4  (no type)  malformed (notJson)',
    'end at {3, 0}; 4 frames: 2 handled, 0 discarded, 0 control, 1 malformed, 1 duplicates, 0 stale; 0 numbering resets, 2 holes (3 numbers and 1 whole generations not seen); generation 1: 1 events, 4 to 4; generation 3: 1 events, 0 to 0',
  ])
  const {lines} = await numbered(file, '--start', '{"generation":7,"sequence":0}', '--on-reset', 'take')
  expect(lines[0]).toBe('1  note  handled  {1, 0}  the numbering begins anew, below the cursor, taken')
})

test.each([
  [['--format', 'xml'], '--format'],
  [['--cursor-id', 'S:G'], '--cursor-id'],
  [['--cursor-id', 'G:S', '--cursor-at', 'cursor'], 'either'],
  [['--cursor-id', 'G:S', '--format', 'lines'], 'only events have an id'],
  [['--on-reset', 'ask'], '--on-reset'],
  [['--on-event', 'ok'], 'Switch'],
  [['--profile', '/nowhere'], '--profile'],
  [['--start', '{"s":1}'], 'a cursor such as'],
])('%j is wrong usage', async (args, words) => {
  const {code, notes} = await numbered(stored(line(1, 0)), ...args)
  expect(code).toBe(2)
  expect(notes.join()).toContain(words)
})

test('what is of numbered streams is refused elsewhere', async () => {
  const {code, notes} = await replay(stored(''), '--protocol', 'switch', '--cursor-at', 'cursor')
  expect([code, notes]).toEqual([2, ['--cursor-at is of numbered streams']])
})

const README = '# A page\n\nwith words.\n'
const CAPTURE = '{"type":"daemon_hello","protocol":{"name":"prime-agent.daemon","version":7}}\n'

test.each([
  ['switch', [], README, 1],
  ['switch', [], '', 1],
  ['switch', [], ': keepalive\n\n', 1],
  ['prime', [], '', 1],
  ['prime', [], '{"level":"info"}\n', 1],
  ['prime', [], README, 3],
  ['numbered', [], '', 1],
  ['numbered', ['--format', 'sse'], README, 1],
  ['numbered', [], README, 3],
])(
  'a file that is no %s stream %j %j says so, and ends with %i where that is strict',
  async (protocol, args, text, code) => {
    const file = stored(text)
    const lenient = await replay(file, '--protocol', protocol, ...args)
    expect([lenient.code, lenient.notes]).toEqual([0, [expect.stringContaining(`Nothing in ${file} was a frame.`)]])
    expect((await replay(file, '--protocol', protocol, ...args, '--strict')).code).toBe(code)
  },
)

test('messages that have no cursor where one was looked for are told, and the place', async () => {
  const file = stored('{"type":"note","meta":{"cursor":{"generation":1,"sequence":0}}}\n')
  const {code, notes} = await numbered(file, '--strict')
  expect([code, notes]).toEqual([1, [expect.stringContaining('has a cursor at “cursor”')]])
  expect((await numbered(file, '--strict', '--cursor-at', 'meta.cursor')).code).toBe(0)
})

test('a daemon that only said hello is a stream all the same', async () => {
  const {code, notes} = await replay(stored(CAPTURE), '--protocol', 'prime', '--strict')
  expect([code, notes]).toEqual([0, []])
})
