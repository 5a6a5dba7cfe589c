import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {runProgram} from './program.ts'
import {runTidemark} from './testing/tidemark-process.ts'
import {told} from './testing/told.ts'

const capture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/prime-captures/${name}.jsonl`, import.meta.url))

async function replay(...args: readonly string[]) {
  const output = told()
  const code = await runProgram(['replay', '--protocol', 'prime', ...args], output)
  return {code, lines: output.lines, notes: output.notes}
}

function stored(text: string): string {
  const file = join(temporaryDirectory(), 'stored.jsonl')
  writeFileSync(file, text)
  return file
}

const event = (sequence: number, type = 'agent_start'): string =>
  `${JSON.stringify({type: 'session_event', activeSessionId: 'a', event: {type}, meta: {cursor: {generation: 'g', sequence}}})}\n`

test('as JSON it prints what the contract says, from a file and from standard input alike', async () => {
  const expected = readFileSync(
    new URL('../../fixtures/prime-replays/11-demo-from-scratch.jsonl', import.meta.url),
    'utf8',
  )
  const {code, lines, notes} = await replay(capture('11-demo-from-scratch'), '--json', '--strict')
  expect([code, notes]).toEqual([0, []])
  expect(lines).toEqual(expected.trimEnd().split('\n'))
  const piped = await runTidemark(
    ['replay', '-', '--protocol', 'prime', '--json', '--chunks', '1,2,7,3,11'],
    readFileSync(capture('11-demo-from-scratch')),
  )
  expect(piped).toMatchObject({code: 0, err: '', out: expected})
})

test('--start is what was held before', async () => {
  const start = '{"01a22d16-f118-70fe-b83b-5a8e333fcaa1":{"generation":"da65790f3c68","sequence":50}}'
  const {lines} = await replay(capture('04-worker-kill-generation'), '--json', '--start', start)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({fact: 'snapshot', decision: 'adopted', missing: 9})
})

test('for people it says where numbers were missing, and that each is only up to that many', async () => {
  const {lines} = await replay(stored(event(1) + event(5)))
  expect(lines).toEqual([
    'a  agent_start  first  g:1',
    'a  agent_start  hole (up to 3 not seen)  g:5',
    'end; a at g:5: 2 events, 0 duplicates, 0 stale, 1 holes (up to 3 not seen), 0 snapshots; 0 malformed, 0 unknown',
  ])
})

test('what is told to people holds no control character of the stream', async () => {
  const {lines} = await replay(stored(event(1, 'x\u001b[31m')))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f]/.test(line))).toEqual([])
})

test('--strict ends with 3 where a line was malformed, and not where one was unknown or out of order', async () => {
  expect((await replay(stored(`${event(1)}x\n`), '--strict')).code).toBe(3)
  expect((await replay(stored(`${event(1)}x\n`))).code).toBe(0)
  expect((await replay(stored(`${event(5)}${event(1)}{"type":"novel"}\n`), '--strict')).code).toBe(0)
})

test('a file that cannot be read ends with 1', async () => {
  expect((await replay(join(temporaryDirectory(), 'missing.jsonl'))).code).toBe(1)
})

test('what a Prime replay does not do yet is said in plain words', async () => {
  const {code, notes} = await replay(capture('01-hello-list-errors'), '--profile', join(temporaryDirectory(), 'p'))
  expect(code).toBe(2)
  expect(notes.join()).toContain('not kept in a profile')
})
