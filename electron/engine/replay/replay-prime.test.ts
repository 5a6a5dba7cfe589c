import {expect, test} from 'vitest'
import {attached, event, listed, replaced} from '../../../shared/sessions/testing/prime-wire.ts'
import {LINE_CAP_BYTES} from '../wire/line-splitter.ts'
import {replayPrimeBytes} from './testing/replay-prime-text.ts'

const lines = (...messages: readonly unknown[]): string => messages.map((one) => `${JSON.stringify(one)}\n`).join('')
const record = (conn: unknown, message: unknown, dir = 'in') => ({t: 1, dir, conn, line: JSON.stringify(message)})

test('lines have their fields in the promised order, and what does not apply is absent', async () => {
  const stream = lines(attached('g:5', 's1'), event('g:9'), replaced('g:10', 's2', false), {
    ...event('4:3'),
    type: 'novel',
  })
  expect((await replayPrimeBytes(stream)).map((line) => JSON.stringify(line))).toEqual([
    '{"fact":"snapshot","session":"s1","purpose":"attach","decision":"adopted","cursor":{"generation":"g","sequence":5}}',
    '{"fact":"frame","session":"s1","activeSession":"a","type":"session_event","event":"agent_start","generation":"g","sequence":9,"decision":"hole","missing":3}',
    '{"fact":"frame","session":"s1","activeSession":"a","type":"session_replaced","generation":"g","sequence":10,"decision":"next"}',
    '{"fact":"snapshot","session":"s2","purpose":"replacement","decision":"unchanged","cursor":{"generation":"g","sequence":10}}',
    '{"fact":"frame","session":"s2","activeSession":"a","type":"novel","generation":4,"sequence":3,"decision":"newGeneration","missing":3}',
    '{"fact":"end","sessions":[{"session":"s1","cursor":{"generation":"g","sequence":10},"retired":[],"events":2,"duplicates":0,"stale":0,"holes":1,"notSeen":3,"snapshots":1},{"session":"s2","cursor":{"generation":4,"sequence":3},"retired":["g"],"events":1,"duplicates":0,"stale":0,"holes":1,"notSeen":3,"snapshots":1}],"malformed":0,"unknown":1}',
  ])
})

test('skipped numbered generations are told', async () => {
  const [, frame] = await replayPrimeBytes(lines(event('5:12'), event('8:0')))
  expect(frame).toMatchObject({decision: 'newGeneration', missingGenerations: 2})
  expect(frame).not.toHaveProperty('missing')
})

test('of records, what came in counts; connections are told apart by their names', async () => {
  const stream = lines(
    record('one', attached('g:5', 's1')),
    record('one', event('g:6'), 'out'),
    {t: 1, dir: 'note', conn: 'one', line: 'connect'},
    record('two', event('g:6')),
    record(undefined, event('g:7')),
  )
  expect((await replayPrimeBytes(stream)).slice(0, -1).map((line) => ('conn' in line ? line.conn : 'none'))).toEqual([
    'one',
    'two',
    'none',
  ])
})

test('what is malformed, unknown or blank is counted as that, and reading goes on', async () => {
  const stream = `\n \r\n{"type":\n[1]\n${lines({type: 'novel'}, {dir: 'in', conn: 'x'}, {dir: 'in', line: '{'}, {dir: 'in', line: ''}, event('g:-1'), event('g:1'))}`
  expect((await replayPrimeBytes(stream)).map(({fact}) => fact)).toEqual(['frame', 'end'])
  expect((await replayPrimeBytes(stream)).at(-1)).toMatchObject({malformed: 5, unknown: 1})
})

test('a last line without its line end is read', async () => {
  const stream = lines(event('g:1'), event('g:2')).trimEnd()
  expect(await replayPrimeBytes(stream, {chunks: [1]})).toMatchObject([{sequence: 1}, {sequence: 2}, {fact: 'end'}])
})

test('a start lists nothing by itself, and counts from when its session is told', async () => {
  const start = {s1: {generation: 'g', sequence: 5}}
  expect(await replayPrimeBytes(lines(listed('s1')), {start})).toMatchObject([{fact: 'end', sessions: []}])
  expect(await replayPrimeBytes(lines(listed('s1'), event('g:5'), event('g:8')), {start})).toMatchObject([
    {session: 's1', decision: 'duplicate'},
    {session: 's1', decision: 'hole', missing: 2},
    {sessions: [{events: 1, duplicates: 1, notSeen: 2}]},
  ])
})

test('a line over the cap is one malformed line, and reading goes on behind its end', async () => {
  const long = Buffer.concat([Buffer.from('{"x":"'), Buffer.alloc(LINE_CAP_BYTES, 'x'), Buffer.from('"}\n')])
  const stream = Buffer.concat([Buffer.from(lines(event('g:1'))), long, Buffer.from(lines(event('g:2')))])
  expect(await replayPrimeBytes(stream, {chunks: [65_536]})).toMatchObject([
    {sequence: 1},
    {sequence: 2},
    {malformed: 1},
  ])
})

test('a stream may leave very many generations, on and on under another session', async () => {
  const many = Array.from({length: 20_000}, (_, n) => [event(`g${n}:1`), replaced(`g${n}:2`, `s${n % 2}`)]).flat()
  const last = (await replayPrimeBytes(lines(...many))).at(-1)
  expect(last?.fact === 'end' && last.sessions.map(({session, retired}) => [session, retired.length])).toEqual([
    ['a', 0],
    ['s0', 19_999],
    ['s1', 19_999],
  ])
})
