import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {ReplayCallback} from './replay-options.ts'
import {isStrictFailure} from './replay-switch.ts'
import {type Asked, at, end, event, frames, gap, P, replay} from './testing/replay-text.ts'

interface Vector {
  readonly n: string
  readonly title: string
  readonly start: object
  readonly onEvent: string
  readonly onGap: string
  readonly sse: readonly string[]
  readonly expect: {
    readonly position?: object
    readonly positionJson?: string
    readonly events?: number
    readonly errors?: readonly string[]
  }
}
const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/switch-vectors.json', import.meta.url), 'utf8'),
)
const CALLBACKS: Readonly<Record<string, ReplayCallback>> = {
  ok: 'ok',
  'pend-then-ok': 'ok',
  throw: 'reject',
  'throw-once': 'reject-once',
}

test.each(vectors.map((vector) => [vector.n, vector.title, vector] as const))(
  'vector %s: %s',
  async (_n, _title, vector) => {
    const {start, sse, onEvent, onGap, expect: wanted} = vector
    const asked = {start, onEvent: CALLBACKS[onEvent] ?? 'ok', onGap: CALLBACKS[onGap] ?? 'ok'} as const
    const whole = await replay(sse.join(''), asked)
    const [last] = whole.slice(-1)
    if (wanted.position !== undefined) expect(last?.position).toEqual(wanted.position)
    if (wanted.positionJson !== undefined) expect(JSON.stringify(last?.position)).toBe(wanted.positionJson)
    const errors = (wanted.errors ?? []).map((error) => (error === 'callback' ? 'rejected' : 'malformed'))
    expect(
      whole.flatMap((line) => ('outcome' in line && /rejected|malformed/.test(line.outcome) ? [line.outcome] : [])),
    ).toEqual(errors)
    for (const chunks of [[1, 2, 7, 3, 11], [1]])
      expect(await replay(sse.join(': keepalive\n\n'), {...asked, chunks})).toEqual(whole)
  },
)

test('a line says its fields in the order of the contract', async () => {
  const body =
    at({s: 19}) +
    gap({resumed_position: {s: 2}, reason: 'why', all_rooms: true, rooms: ['room-a'], resumed_at: 2, from_sequence: 18})
  expect((await replay(body, {start: {...P, s: 17}})).map((line) => JSON.stringify(line))).toEqual([
    '{"fact":"frame","n":1,"event":"message","outcome":"handled","attempt":1,"cause":"handled","position":{"s":19,"r:room-a":43,"r:room-b":9}}',
    '{"fact":"gap","n":2,"outcome":"replaced","said":{"from":18,"resumedAt":2,"position":{"s":2},"rooms":["room-a"],"allRooms":true,"reason":"why"},"before":{"s":19,"r:room-a":43,"r:room-b":9},"position":{"s":2},"cursorReset":true,"wentBack":["s"],"removed":["r:room-a","r:room-b"]}',
    '{"fact":"end","position":{"s":2},"frames":2,"handled":1,"rejected":0,"discarded":0,"malformed":0,"control":0,"gaps":1}',
  ])
})

test('cause is there only where the position moved', async () => {
  const body = `${at({s: 19})}${at({s: 19})}event: new\ndata: {"position":{"s":20}}\n\nevent: new\ndata: {}\n\n`
  expect(await frames(body, {start: P})).toMatchObject([
    {outcome: 'handled', cause: 'handled'},
    {outcome: 'handled'},
    {outcome: 'discarded', cause: 'discarded'},
    {outcome: 'discarded'},
  ])
  expect((await frames(body, {start: P})).map((line) => 'cause' in line)).toEqual([true, false, true, false])
})

test('attempt is only on handled and rejected frame lines', async () => {
  const body = `${at({s: 1})}event: new\ndata: {}\n\nevent: evicted\ndata: {}\n\ndata: x\n\n${gap({})}${gap({resumed_at: null})}`
  for (const onEvent of ['ok', 'reject'] as const) {
    const lines = await frames(body, {onEvent})
    expect(lines.map((line) => 'attempt' in line)).toEqual([true, false, false, false, false, false])
  }
})

const CONTROL = [
  'connection_state',
  'evicted',
  'subscription_changed',
  'room_released',
  'approval_outcome',
  'session_command',
  'session_commands',
  'worker_attached',
  'relay',
  'relay_cancel',
  'wake',
  'mailbox_cancel',
  'operation',
  'credential',
]

test.each(CONTROL)('%s is a control frame, and moves nothing whatever it carries', async (name) => {
  for (const data of ['{}', '{"type":"message","position":{"s":900}}', '{"position":{"s":-1}}']) {
    const body = `id: 900\nevent: ${name}\ndata: ${data}\n\nid: {"s":-1}\nevent: ${name}\ndata: ${data}\n\n`
    const line = {fact: 'frame', event: name, outcome: 'control', position: {s: 18}}
    expect(await frames(body, {start: {s: 18}})).toEqual([
      {...line, n: 1},
      {...line, n: 2},
    ])
  }
})

test.each(['Evicted', 'gap ', 'hello', 'connection-state', 'room_instructions_changed'])(
  '%j is no control frame',
  async (name) => {
    expect(await frames(event({}, `event: ${name}`))).toMatchObject([{event: name, outcome: 'handled'}])
  },
)

test('data that is no JSON object is a malformed frame line, whatever the name of the event', async () => {
  const names = ['message', 'gap', 'evicted', 'credential', 'new']
  for (const data of ['null', '[1]', '5', '"x"', '{not json}', 'true', '{"a":1}{"b":2}', '{"a":1,}']) {
    const lines = await frames(names.map((name) => `id: 9\nevent: ${name}\ndata: ${data}\n\n`).join(''), {
      start: {s: 18},
    })
    expect(lines).toEqual(
      names.map((name, n) => ({fact: 'frame', n: n + 1, event: name, outcome: 'malformed', position: {s: 18}})),
    )
  }
})

test('joined data that is empty makes no frame at all', async () => {
  expect(await replay('id: 19\ndata:\n\nevent: gap\ndata\n\nid: 20\n\n', {start: {s: 18}})).toMatchObject([
    {fact: 'end', frames: 0},
  ])
})

test('a position in the data counts alone, and the id is not looked at', async () => {
  const body = (id: string, position: unknown): string => event({position}, `id: ${id}\nevent: message`)
  expect(await frames(body('900', {s: 19}), {start: {s: 18}})).toMatchObject([{outcome: 'handled', position: {s: 19}}])
  expect(await frames(body('{"s":-1}', {s: 19}), {start: {s: 18}})).toMatchObject([
    {outcome: 'handled', position: {s: 19}},
  ])
  for (const bad of [null, [], 'x', 5, {s: -1}, {s: '1'}, {s: 1, x: 0.5}, {s: null}])
    expect(await frames(body('19', bad), {start: {s: 18}})).toMatchObject([{outcome: 'malformed', position: {s: 18}}])
})

test('an id that begins like a vector is one, or the frame is malformed', async () => {
  const body = (id: string): string => event({}, `id: ${id}\nevent: message`)
  expect(await frames(body('{"s":19,"r:a":1}'), {start: {s: 18}})).toMatchObject([
    {outcome: 'handled', position: {s: 19, 'r:a': 1}},
  ])
  expect(await frames(body('{}') + body('30'), {start: {s: 18}})).toMatchObject([
    {position: {s: 18}},
    {position: {s: 18}},
  ])
  for (const bad of ['{', '{"s":-1}', '{"s":1}x', '{"s":1e999}', '{s:1}'])
    expect(await frames(body(bad), {start: {s: 18}})).toMatchObject([{outcome: 'malformed', position: {s: 18}}])
  for (const other of ['[1]', ' {"s":19}', '"19"', '+19', '19 ', '19.0', '٣', '00', '1_000'])
    expect(await frames(body(other), {start: {s: 18}})).toMatchObject([{outcome: 'handled', position: {s: 18}}])
})

describe('that a vector was seen makes bare ids mute', () => {
  const bare = event({}, 'id: 30\nevent: message')
  const seen: ReadonlyArray<readonly [how: string, before: string, asked: Asked]> = [
    ['an event', at({}), {}],
    ['a rejected event', at({s: 1}), {onEvent: 'reject-once'}],
    ['a discarded frame', 'event: new\ndata: {"position":{}}\n\n', {}],
    ['an id', event({}, 'id: {}\nevent: message'), {}],
    ['a gap', gap({resumed_position: {s: 18}}), {}],
    ['a rejected gap', gap({resumed_position: {s: 2}}), {onGap: 'reject'}],
  ]
  test.each(seen)('by %s', async (_how, before, asked) => {
    const lines = await frames(before + bare + bare, {start: {s: 18}, ...asked})
    expect(lines.at(-1)).toMatchObject({outcome: 'handled', position: {s: 18}})
  })

  const unseen: ReadonlyArray<readonly [how: string, before: string]> = [
    ['a malformed position', event({position: {s: -1}})],
    ['a malformed gap', gap({resumed_position: {s: 2}, resumed_at: -1})],
    ['a control frame', 'event: evicted\ndata: {"position":{"s":2}}\n\n'],
    ['a gap without a vector', gap({resumed_at: 18})],
    ['a bare id', event({}, 'id: 1\nevent: message')],
    ['the position of a gap frame, which is none', gap({position: {s: 2}})],
  ]
  test.each(unseen)('not by %s', async (_how, before) => {
    const lines = await frames(before + bare, {start: {s: 18, 'r:room-a': 1}})
    expect(lines.at(-1)).toMatchObject({outcome: 'handled', position: {s: 30}})
  })
})

test('a rejected frame is tried again as the next attempt, counted since it was last handled', async () => {
  const [a, b] = [at({s: 19}), at({s: 20})]
  const lines = await frames(a + b + gap({}) + a + a + b, {start: P, onEvent: 'reject-once'})
  expect(
    lines.map((line) => ('attempt' in line ? [line.outcome, line.attempt, line.position['s']] : line.fact)),
  ).toEqual([
    ['rejected', 1, 18],
    ['rejected', 1, 18],
    'gap',
    ['handled', 2, 19],
    ['handled', 1, 19],
    ['handled', 2, 20],
  ])
  const always = await frames(a + a + gap({}) + a, {start: P, onEvent: 'reject'})
  expect(always.map((line) => ('attempt' in line ? line.attempt : line.fact))).toEqual([1, 2, 'gap', 3])
})

test('frames are distinct by event name, id and data text', async () => {
  const data = '{"type":"message"}'
  const distinct = [
    `data: ${data}`,
    `event: x\ndata: ${data}`,
    `id: 1\ndata: ${data}`,
    `data: ${data} `,
    `data: {"type":\ndata: "message"}`,
  ]
  const body = distinct.map((block) => `${block}\n\n`).join('')
  expect(
    (await frames(body + body, {onEvent: 'reject-once'})).map((line) => 'outcome' in line && line.outcome),
  ).toEqual([...distinct.map(() => 'rejected'), ...distinct.map(() => 'handled')])
})

test('the end line counts each frame once, a rejected gap in gaps too', async () => {
  const body = `${at({s: 1})}event: new\ndata: {}\n\nevent: evicted\ndata: {}\n\ndata: x\n\n${gap({})}${gap({resumed_at: null})}`
  expect(await end(body)).toEqual({
    fact: 'end',
    position: {s: 1},
    frames: 6,
    handled: 1,
    rejected: 0,
    discarded: 1,
    malformed: 2,
    control: 1,
    gaps: 1,
  })
  expect(await end(body, {onEvent: 'reject', onGap: 'reject'})).toEqual({
    fact: 'end',
    position: {},
    frames: 6,
    handled: 0,
    rejected: 2,
    discarded: 1,
    malformed: 2,
    control: 1,
    gaps: 1,
    hypothetical: true,
  })
})

test('a result is hypothetical exactly where a callback is not ok', async () => {
  expect(await end('')).not.toHaveProperty('hypothetical')
  for (const asked of [{onEvent: 'reject'}, {onGap: 'reject-once'}, {onEvent: 'reject-once', onGap: 'ok'}] as const)
    expect(await end('', asked)).toMatchObject({hypothetical: true, frames: 0})
})

test('strictness minds what was malformed or rejected, and nothing else', async () => {
  const fails = async (body: string, asked?: Asked): Promise<boolean> => {
    const line = await end(body, asked)
    return line?.fact === 'end' && isStrictFailure(line)
  }
  expect(await fails(`${at({s: 1})}event: new\ndata: {}\n\n${gap({})}`)).toBe(false)
  expect(await fails('data: x\n\n')).toBe(true)
  expect(await fails(gap({resumed_at: null}))).toBe(true)
  expect(await fails(at({s: 1}), {onEvent: 'reject'})).toBe(true)
  expect(await fails(gap({}), {onGap: 'reject'})).toBe(true)
})

test('a block of more than 8 MiB is one malformed line, and reading goes on after the next blank line', async () => {
  const long = Buffer.alloc(8_388_608 - 'data: \n'.length + 1, 'x')
  const body = Buffer.concat([Buffer.from(`${at({s: 19})}data: `), long, Buffer.from(`\n\n${at({s: 20})}`)])
  const expected = [
    {n: 1, outcome: 'handled', position: {s: 19}},
    {fact: 'frame', n: 2, event: '', outcome: 'malformed', position: {s: 19}},
    {n: 3, outcome: 'handled', position: {s: 20}},
    {frames: 3, handled: 2, malformed: 1},
  ]
  for (const chunks of [[1460], [65_536], [body.length]]) expect(await replay(body, {chunks})).toMatchObject(expected)
  const justFits = Buffer.concat([Buffer.from('data: '), long.subarray(1), Buffer.from('\n\n')])
  expect(await frames(justFits)).toMatchObject([{event: 'message', outcome: 'malformed'}])
})

test('rooms may have any name', async () => {
  const body =
    'data: {"type":"message","position":{"r:a:b":1,"__proto__":2,"constructor":3,"":4,"r:":5,"toString":6}}\n\n'
  const [line] = await frames(body)
  expect(JSON.stringify(line?.position)).toBe('{"r:a:b":1,"__proto__":2,"constructor":3,"":4,"r:":5,"toString":6}')
})
