import {describe, expect, test} from 'vitest'
import {at, ownProgress, ownReplacement, progress, replacement} from '../testing/positions.ts'
import {classifySwitchFrame, mayHoldSecrets} from './classify-switch-frame.ts'
import {bringsVector, type FrameProblem} from './frame.ts'
import type {RawFrame} from './raw-frame.ts'

function raw(data: unknown, event = 'message', id?: string): RawFrame {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return {event, data: text, bytes: new Uint8Array(), cuts: [], ...(id === undefined ? {} : {id})}
}

const understood = (frame: RawFrame): unknown => {
  const classified = classifySwitchFrame(frame)
  return classified.ok ? classified.value : classified.error
}
const problem = (frame: RawFrame): FrameProblem | undefined => {
  const classified = classifySwitchFrame(frame)
  return classified.ok ? undefined : classified.error
}

test('a string type makes an event, under any name', () => {
  const data = {type: 'brand_new', position: {s: 19}}
  expect(understood(raw(data, 'brand_new'))).toEqual({
    kind: 'event',
    event: 'brand_new',
    type: 'brand_new',
    data,
    update: progress({s: 19}),
  })
  expect(understood(raw({type: ''}))).toMatchObject({kind: 'event', type: ''})
})

test('without a string type a frame is unknown, under a known name too, and its position counts', () => {
  for (const type of [undefined, null, 5, ['message'], {}])
    expect(understood(raw({type, position: {s: 19}}))).toMatchObject({
      kind: 'unknown',
      event: 'message',
      update: progress({s: 19}),
    })
  expect(understood(raw('{"__proto__":{"type":"message","position":{"s":1}}}'))).toMatchObject({
    kind: 'unknown',
    update: {kind: 'none'},
  })
})

const ids: ReadonlyArray<readonly [id: string | undefined, update: unknown]> = [
  [undefined, {kind: 'none'}],
  ['19', ownProgress(19)],
  ['0', ownProgress(0)],
  ['9007199254740991', ownProgress(2 ** 53 - 1)],
  ['{"s":19,"r:a":0}', progress({s: 19, 'r:a': 0})],
  ['{}', progress({})],
  ...[
    'abc',
    '-5',
    '-0',
    '+5',
    '1e3',
    '0x10',
    ' 7',
    '7 ',
    '7\n',
    '',
    '007',
    '00',
    '1.0',
    '9007199254740992',
    '9007199254740993',
    '9'.repeat(400),
    '٧',
    '[1]',
    ' {"s":1}',
    'null',
    'Infinity',
  ].map((id) => [id, {kind: 'none'}] as const),
]
test.each(ids)('the id %j', (id, update) =>
  expect(understood(raw({type: 'x'}, 'message', id))).toMatchObject({kind: 'event', update}),
)

test.each(['{', '{s:1}', '{"s":-1}', '{"s":1,"r:a":null}', '{"s":1}x', '{"s":9007199254740992}', '{"s":"1"}'])(
  'the id %j claims to be a vector and is none',
  (id) => {
    expect(problem(raw({type: 'x'}, 'message', id))).toEqual({kind: 'badPosition', field: 'id'})
    expect(problem(raw({}, 'new', id))).toEqual({kind: 'badPosition', field: 'id'})
  },
)

test('a position in the data counts alone', () => {
  for (const id of ['900', '{"s":900}', '{"s":-1}', 'abc'])
    expect(understood(raw({type: 'x', position: {'r:a': 1}}, 'message', id))).toMatchObject({
      update: progress({'r:a': 1}),
    })
  for (const position of [null, [], 'x', 5, true, {s: -1}, {s: 1.5}, {s: 1, 'r:a': '2'}])
    for (const id of [undefined, '900', '{"s":900}'])
      expect(problem(raw({type: 'x', position}, 'message', id))).toEqual({kind: 'badPosition', field: 'position'})
})

test('-0 is 0', () => {
  const classified = classifySwitchFrame(raw('{"type":"x","position":{"s":-0}}'))
  const update = classified.ok && classified.value.kind === 'event' ? classified.value.update : undefined
  expect(update?.kind === 'progress' && Object.is([...update.reported.values()][0], 0)).toBe(true)
})

test.each(['null', '[1]', '5', '"x"', 'true'])('the data %s is no object', (data) => {
  for (const event of ['message', 'gap', 'evicted', 'credential'])
    expect(problem(raw(data, event))).toEqual({kind: 'notAnObject'})
})

test.each(['{not json}', '{"a":1', '{"a":1}{', '{"a":1,}', "{'a':1}", '\uFEFF{}', 'NaN', ' ', '{"a":\u0000}'])(
  'the data %j is no JSON',
  (data) => {
    for (const event of ['message', 'gap', 'evicted'])
      expect(problem(raw(data, event))).toMatchObject({kind: 'notJson'})
  },
)

test('a worker frame that does not parse is not quoted', () => {
  for (const event of ['credential', 'relay', 'operation']) {
    expect(mayHoldSecrets(event)).toBe(true)
    expect(JSON.stringify(problem(raw('sk-secret', event)))).not.toContain('secret')
  }
  expect(mayHoldSecrets('message')).toBe(false)
})

test('data nested a hundred thousand deep is a frame or a problem, never a crash', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(classifySwitchFrame(raw(`{"type":"x","payload":${deep}}`)).ok).toBe(true)
  expect(problem(raw(`{"type":"x","position":${deep}}`))).toEqual({kind: 'badPosition', field: 'position'})
  expect(problem(raw('['.repeat(100_000)))).toMatchObject({kind: 'notJson'})
})

describe('control frames', () => {
  test.each([
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
  ])('%s is one, whatever its id and position', (event) => {
    for (const position of [{s: 900}, {s: -1}, null]) {
      const data = {type: 'message', position}
      expect(understood(raw(data, event, '{"s":-1}'))).toEqual({kind: 'control', event, data})
    }
  })
  test.each(['gap', 'message', 'room_instructions_changed', 'refused', 'ping', 'Evicted', 'session'])(
    '%s is none',
    (event) => expect(understood(raw({type: 'x'}, event))).not.toMatchObject({kind: 'control'}),
  )
})

describe('a gap', () => {
  const gaps: ReadonlyArray<readonly [data: object, update: unknown, said: object]> = [
    [{}, {kind: 'none'}, {}],
    [{resumed_at: 2}, ownReplacement(2), {resumedAt: 2}],
    [
      {resumed_at: 2, resumed_position: {s: 2, 'r:a': 7}},
      replacement({s: 2, 'r:a': 7}),
      {resumedAt: 2, position: at({s: 2, 'r:a': 7})},
    ],
    [{resumed_position: {}}, replacement({}), {position: at({})}],
    [{resumed_at: 2 ** 53 - 1}, ownReplacement(2 ** 53 - 1), {resumedAt: 2 ** 53 - 1}],
    [{position: {s: 5}, type: 'message'}, {kind: 'none'}, {}],
    [
      {from_sequence: 18, rooms: ['a', 5, null, 'b'], all_rooms: true, reason: ''},
      {kind: 'none'},
      {from: 18, rooms: ['a', 'b'], allRooms: true, reason: ''},
    ],
    [{from_sequence: '18', rooms: 'a', all_rooms: 'yes', reason: {}}, {kind: 'none'}, {}],
    [{from_sequence: null, rooms: null, all_rooms: null, reason: null}, {kind: 'none'}, {}],
    [{from_sequence: -1}, {kind: 'none'}, {}],
    [{from_sequence: 1.5, rooms: [[], {}]}, {kind: 'none'}, {rooms: []}],
  ]
  test.each(gaps)('%j', (data, update, said) => {
    expect(understood(raw(data, 'gap', '900'))).toEqual({kind: 'gap', event: 'gap', data, said, update})
  })

  test.each([null, [], {}, '2', true, -1, 1.5, 2 ** 53])(
    'that resumes at %j is refused whole, and keeps what it validly said',
    (resumed_at) => {
      const said = {from: 18, position: at({s: 2})}
      expect(problem(raw({from_sequence: 18, resumed_at, resumed_position: {s: 2}}, 'gap'))).toEqual({
        kind: 'badGap',
        field: 'resumed_at',
        said,
      })
      expect(problem(raw({resumed_at}, 'gap'))).toEqual({kind: 'badGap', field: 'resumed_at', said: {}})
    },
  )

  test.each([null, [], 'x', 5, {s: '2'}, {s: 2.5}, {s: -1}, {s: 2, 'r:a': 2 ** 53}, {s: {}}])(
    'with the vector %j is refused whole',
    (resumed_position) => {
      expect(problem(raw({resumed_at: 2, resumed_position, rooms: ['a']}, 'gap'))).toEqual({
        kind: 'badGap',
        field: 'resumed_position',
        said: {resumedAt: 2, rooms: ['a']},
      })
    },
  )

  test('with duplicate keys means the last', () =>
    expect(understood(raw('{"resumed_at":9,"resumed_at":2}', 'gap'))).toMatchObject({update: ownReplacement(2)}))
})

test('vectors are remembered, bare numbers are not', () => {
  expect([progress({}), replacement({})].map(bringsVector)).toEqual([true, true])
  expect([ownProgress(1), ownReplacement(1), {kind: 'none'} as const].map(bringsVector)).toEqual([false, false, false])
})
