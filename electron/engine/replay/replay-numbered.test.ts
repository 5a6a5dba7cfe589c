import fc from 'fast-check'
import {expect, test} from 'vitest'
import {parseCursor} from '../../../shared/cursor/cursor.ts'
import type {NumberedShape} from '../../../shared/source/numbered.ts'
import type {NumberedLine} from './numbered-lines.ts'
import {type NumberedReplayOptions, replayNumbered} from './replay-numbered.ts'

const LINES: NumberedShape = {over: 'file', cursorAt: 'cursor', typeAt: 'type'}
const IDS: NumberedShape = {over: 'sse', cursorAt: {id: 'G:S'}, typeAt: 'type'}

async function replay(text: string, options: Partial<NumberedReplayOptions> = {}): Promise<readonly NumberedLine[]> {
  const lines: NumberedLine[] = []
  for await (const line of replayNumbered([Buffer.from(text)], {shape: LINES, ...options})) lines.push(line)
  return lines
}

type Place = readonly [generation: number, sequence: number]

const said = ([generation, sequence]: Place) => JSON.stringify({type: 'note', cursor: {generation, sequence}})
const lineOf = (place: Place): string => `${said(place)}\n`
const eventOf = ([generation, sequence]: Place): string => `id: ${generation}:${sequence}\ndata: {"type":"note"}\n\n`
const linesOf = (...places: readonly Place[]): string => places.map(lineOf).join('')
const recordOf = (conn: number, place: Place): string => `${JSON.stringify({dir: 'in', conn, line: said(place)})}\n`

function start(generation: number, sequence: number) {
  return {start: parseCursor({generation, sequence}) ?? expect.fail('no cursor')}
}

const decisions = (lines: readonly NumberedLine[]) =>
  lines.flatMap((line) => (line.fact === 'frame' ? [line.decision ?? line.outcome] : []))

test('a line for every message says what its number meant, and what is held after it', async () => {
  const text = linesOf([1, 0], [1, 1], [1, 1], [1, 5], [2, 0], [1, 9], [5, 2])
  const lines = await replay(`${text}{"type":"ping"}\nnonsense\n{"cursor":{"generation":5}}\n`)
  expect(lines[3]).toEqual({
    fact: 'frame',
    n: 4,
    event: 'note',
    outcome: 'handled',
    generation: 1,
    sequence: 5,
    decision: 'hole',
    missing: 3,
    cursor: {generation: 1, sequence: 5},
  })
  expect(decisions(lines)).toEqual([
    ...['first', 'next', 'duplicate', 'hole', 'newGeneration', 'stale', 'newGeneration', 'control', 'malformed'],
    'malformed',
  ])
  expect(lines.at(-1)).toEqual({
    fact: 'end',
    cursor: {generation: 5, sequence: 2},
    frames: 10,
    handled: 5,
    discarded: 0,
    control: 1,
    malformed: 2,
    duplicates: 1,
    stale: 1,
    resets: 0,
    holes: 2,
    notSeen: 5,
    generationsNotSeen: 2,
    generations: [
      {generation: 1, first: 0, last: 5, events: 3},
      {generation: 2, first: 0, last: 0, events: 1},
      {generation: 5, first: 2, last: 2, events: 1},
    ],
  })
})

test('a numbering that begins anew below the cursor is stale, and what follows it, unless it is to be taken', async () => {
  const text = linesOf([1, 0], [1, 1], [2, 0])
  const kept = await replay(text, start(9, 4))
  expect(decisions(kept)).toEqual(['numberingReset', 'stale', 'stale'])
  expect(kept.at(-1)).toMatchObject({cursor: {generation: 9, sequence: 4}, stale: 3, resets: 1, handled: 0})
  const taken = await replay(text, {...start(9, 4), onReset: 'take'})
  expect(taken[0]).toMatchObject({outcome: 'handled', decision: 'numberingReset', taken: true})
  expect(decisions(taken)).toEqual(['numberingReset', 'next', 'newGeneration'])
  expect(taken.at(-1)).toMatchObject({cursor: {generation: 2, sequence: 0}, stale: 0, resets: 1, handled: 3})
})

test('only the first number of a connection can begin a numbering anew; records tell connections apart', async () => {
  expect(decisions(await replay(linesOf([3, 0], [1, 0])))).toEqual([...['first', 'stale']])
  const out = `${JSON.stringify({dir: 'out', conn: 2, line: '{"resume":null}'})}\n`
  const lines = await replay(`${recordOf(1, [3, 0])}${out}${recordOf(2, [1, 0])}${recordOf(1, [3, 1])}`)
  expect(decisions(lines)).toEqual(['first', 'numberingReset', 'next'])
  expect(lines[1]).toMatchObject({conn: '2', n: 2})
})

test('a message that has a member dir of its own is a message', async () => {
  const lines = await replay('{"type":"note","dir":"in","cursor":{"generation":1,"sequence":0}}\n')
  expect(decisions(lines)).toEqual(['first'])
})

test('the last line of a file needs no end', async () => {
  expect(decisions(await replay(said([1, 0])))).toEqual(['first'])
})

const place = fc.tuple(fc.nat({max: 4}), fc.nat({max: 6}))
const sizes = fc.array(fc.integer({min: 1, max: 40}), {minLength: 1, maxLength: 5})
const onReset = fc.constantFrom('keep' as const, 'take' as const)

test('lines do not depend on chunks, nor on whether the cursor stands in the data or in an id', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(place, {maxLength: 12}), sizes, onReset, async (places, chunks, reset) => {
      const options = {...start(2, 3), onReset: reset}
      const whole = await replay(linesOf(...places), options)
      expect(await replay(linesOf(...places), {...options, chunks})).toEqual(whole)
      expect(await replay(places.map(eventOf).join(''), {...options, chunks, shape: IDS})).toEqual(whole)
    }),
  )
})

test('the cursor never goes back but to a numbering that is taken, and every message is counted once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(place, {maxLength: 20}), onReset, async (places, reset) => {
      const lines = await replay(linesOf(...places), {...start(2, 3), onReset: reset})
      let before: Place = [2, 3]
      for (const line of lines) {
        const {cursor} = line
        const at: Place = [Number(cursor?.generation), Number(cursor?.sequence)]
        const isBack = at[0] < before[0] || (at[0] === before[0] && at[1] < before[1])
        if (isBack) expect(line).toMatchObject({taken: true})
        before = at
      }
      const end = lines.at(-1)
      if (end?.fact !== 'end') throw new Error('no end')
      const {handled, discarded, control, malformed, duplicates, stale, frames, generations} = end
      expect(handled + discarded + control + malformed + duplicates + stale).toBe(frames)
      expect(frames).toBe(places.length)
      expect(generations.reduce((sum, {events}) => sum + events, 0)).toBe(handled + discarded)
    }),
  )
})

test.each([
  ['a snapshot with every event', (n: number) => lineOf([n, 0])],
  ['a numbering that begins anew with every event, and is taken', (n: number) => recordOf(n, [30_000 - n, 0])],
  [
    'names, a new one with every event',
    (n: number) => `{"type":"note","cursor":{"generation":"g${n}","sequence":1}}\n`,
  ],
])('a file is read to its end, however many generations it has (%s)', async (_, nth) => {
  const events = 30_000
  const text = Array.from({length: events}, (_, n) => nth(n)).join('')
  const end = (await replay(text, {onReset: 'take'})).at(-1)
  expect(end).toMatchObject({fact: 'end', frames: events, handled: events})
  expect(end?.fact === 'end' && end.generations.length).toBe(events)
})
