import {expect, test} from 'vitest'
import {isJsonObject, parseJson} from '../../../shared/base/json.ts'
import {BAD_LINES} from './scenario.ts'
import {findPrimeScenario, primeScenarios} from './scenarios.ts'
import {kindOf, type SeenLine, sequenceOf, watchScenario} from './testing/watch-scenario.ts'

function watch(name: string, untilMs = 60_000): readonly SeenLine[] {
  const scenario = findPrimeScenario(name)
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  return watchScenario({scenario, untilMs})
}

const kindsOf = (seen: readonly SeenLine[]) => seen.map(({message}) => kindOf(message))
const numbersOf = (seen: readonly SeenLine[]) => seen.flatMap(({message}) => sequenceOf(message) ?? [])

test('names are unique, and the product’s own comes first', () => {
  const names = primeScenarios.map(({name}) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names[0]).toBe('tour')
})

test.each(primeScenarios)('$name plays to its end, or for ever', ({name, steps, loopFrom}) => {
  const {length} = watch(name, 120_000)
  expect(length).toBeGreaterThan(0)
  if (loopFrom !== undefined)
    expect(steps.slice(loopFrom).reduce((sum, {afterMs}) => sum + afterMs, 0)).toBeGreaterThan(1_000)
})

test('the tour shows a newcomer everything within a minute', () => {
  const seen = watch('tour')
  const kinds = new Set(kindsOf(seen))
  for (const kind of [
    'tool_execution_end',
    'bash_end',
    'session_action_update',
    'auto_retry_end',
    'compaction_end',
    'session_status',
    'session_replaced',
    'daemon_closing',
  ])
    expect(kinds, kind).toContain(kind)
  const purposes = new Set(seen.map(({message}) => message?.['purpose']))
  expect(purposes).toEqual(new Set([undefined, 'attach', 'resync', 'replacement']))
  // One worker before the crash, one after it, and the other session's.
  const generations = new Set(seen.flatMap(({line}) => line.match(/"cursor":\{"generation":"\w+"/g) ?? []))
  expect(generations.size).toBeGreaterThanOrEqual(2)
  expect(kindsOf(seen).filter((kind) => kind === 'daemon_hello')).toHaveLength(2)
})

test('the tour goes on', () => {
  expect(numbersOf(watch('tour', 300_000)).length).toBeGreaterThan(3 * numbersOf(watch('tour')).length)
})

test('parallel tools end out of order, and their results come in the order of the calls', () => {
  const seen = watch('parallel-tools').map(({message}) => message)
  const ids = (kind: string) =>
    seen.flatMap((message) => {
      const event = message?.['event']
      return kindOf(message) === kind && isJsonObject(event) ? [event['toolCallId']] : []
    })
  expect(ids('tool_execution_start')).toHaveLength(3)
  expect(ids('tool_execution_end')).not.toEqual(ids('tool_execution_start'))
  expect(ids('tool_execution_end').toSorted()).toEqual(ids('tool_execution_start').toSorted())
})

test('numbers of a calm session have no hole, and a hole is one number', () => {
  expect(numbersOf(watch('bash'))).toEqual([1, 2, 3, 4])
  expect(numbersOf(watch('hole'))).toEqual([1, 2, 3, 4, 6, 7, 8, 9])
})

test('over a new supervisor the numbers go on, with what nobody saw missing', () => {
  const seen = watch('supervisor-update')
  expect(numbersOf(seen)).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10])
  expect(kindsOf(seen).filter((kind) => kind === 'daemon_hello')).toHaveLength(2)
})

test('a reopened session counts from 1, and so does one that is back after a shutdown', () => {
  expect(numbersOf(watch('reopen')).indexOf(1, 1)).toBeGreaterThan(0)
  expect(numbersOf(watch('shutdown'))).toEqual([1, 2, 3, 4, 5, 1])
})

test('another version is named in the hello', () => {
  expect(watch('version-8')[0]?.message).toMatchObject({protocol: {version: 8}})
})

test('every bad line is between good ones', () => {
  const seen = watch('bad-lines')
  expect(numbersOf(seen).at(-1)).toBe(4 * BAD_LINES.length + 4)
  expect(seen.filter(({line}) => parseJson(line) === undefined).map(({line}) => line)).toEqual([
    '{"type":"session_event","activeSes',
    '',
  ])
  expect(seen.some(({line}) => line.includes('a\u2028b\u2029c'))).toBe(true)
  expect(seen.some(({line}) => line.includes('\ufffd'))).toBe(true)
})

test.each([
  ['snapshot-failed', ['session_snapshot_begin', 'session_snapshot_failed']],
  ['snapshot-unfinished', ['session_snapshot_begin', 'session_snapshot_chunk']],
  ['snapshot-missing-chunk', ['session_snapshot_begin', 'session_snapshot_end']],
  ['snapshot-wrong-count', ['session_snapshot_begin', 'session_snapshot_chunk', 'session_snapshot_end']],
])('%s', (name, expected) => {
  const kinds = kindsOf(watch(name)).filter((kind) => kind.startsWith('session_snapshot'))
  expect(kinds.slice(3)).toEqual(expected)
})

test('a duplicated snapshot has the same id twice', () => {
  const begins = watch('snapshot-duplicated').flatMap(({message}) =>
    message?.['purpose'] === 'resync' ? [message['snapshotId']] : [],
  )
  expect(begins).toHaveLength(2)
  expect(begins[0]).toBe(begins[1])
})
