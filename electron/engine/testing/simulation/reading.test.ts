import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {bringsVector, fold} from './fold.ts'
import {readTold, type Vector} from './reading.ts'

/** One case of the protocol's list, as far as positions go. */
interface VectorCase {
  readonly n: string
  readonly start: Readonly<Record<string, number>>
  readonly sse: readonly string[]
  readonly onGap: string
  readonly expect: {readonly position?: Readonly<Record<string, number>>; readonly positionJson?: string}
}

const file = new URL('../../../../fixtures/switch-vectors.json', import.meta.url)
const cases = JSON.parse(readFileSync(file, 'utf8')) as readonly VectorCase[] // the fixture's own shape

test.each(cases.map((one) => [one.n, one] as const))("the witness's own rules agree with vector %s", (_n, one) => {
  let position: Vector = new Map(Object.entries(one.start))
  let vectorSeen = false
  for (const block of one.sse.flatMap((text) => text.split('\n\n'))) {
    const told = readTold(block)
    if (told === undefined) continue
    const isRejected = told.meaning.kind === 'gap' && one.onGap === 'throw'
    if (!isRejected) position = fold(position, vectorSeen, told.meaning)
    vectorSeen ||= bringsVector(told.meaning)
  }
  const {position: expected, positionJson} = one.expect
  expect([...position].sort()).toEqual(Object.entries(expected ?? JSON.parse(positionJson ?? '')).sort())
})

test('an event of the demo says its number and which run of numbers it belongs to', () => {
  const event = (s: number, n: number): string =>
    `id: ${s}\nevent: message\ndata: {"type":"message","payload":{"message_id":"$m.source-0-${n}"}}`
  expect(readTold(event(41, 1))?.numbered).toEqual({run: '40', own: 41})
  expect(readTold(event(42, 2))?.numbered).toEqual({run: '40', own: 42})
  expect(readTold(event(3, 3))?.numbered).toEqual({run: '0', own: 3})
})

test('a secret is known by its name, also where its data does not parse', () => {
  expect(readTold('event: relay\ndata: {"half')?.isSecret).toBe(true)
  expect(readTold('event: message\ndata: {"half')?.isSecret).toBe(false)
})
