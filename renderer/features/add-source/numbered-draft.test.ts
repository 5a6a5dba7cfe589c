import {expect, test} from 'vitest'
import {
  askedBy,
  chooseCursorIn,
  EMPTY_NUMBERED,
  exampleMessage,
  numberedDraftOf,
  readNumberedDraft,
  usualName,
} from './numbered-draft.ts'

const SOCKET = {...EMPTY_NUMBERED, address: ' 127.0.0.1:7000 '}
const SSE = {...EMPTY_NUMBERED, over: 'sse', url: 'https://tides.example.org/events'} as const

test('a socket, a file and a stream each become a source, without stray spaces', () => {
  expect(readNumberedDraft(SOCKET)).toEqual({
    kind: 'ready',
    source: {
      name: '127.0.0.1:7000',
      settings: {
        kind: 'numbered',
        from: {over: 'socket', address: '127.0.0.1:7000', resume: EMPTY_NUMBERED.resume},
        cursorAt: 'cursor',
        typeAt: 'type',
        future: 'fail',
      },
    },
  })
  expect(
    readNumberedDraft({...EMPTY_NUMBERED, over: 'file', path: '/var/log/tides.jsonl', name: 'tides'}),
  ).toMatchObject({
    source: {name: 'tides', settings: {from: {over: 'file', path: '/var/log/tides.jsonl'}}},
  })
  expect(readNumberedDraft({...SSE, future: 'wait', lastEventId: '{cursor}'})).toMatchObject({
    source: {settings: {future: 'wait', from: {over: 'sse', url: SSE.url, lastEventId: '{cursor}'}}},
  })
})

test.each([
  [EMPTY_NUMBERED, 'the address of the socket'],
  [{...EMPTY_NUMBERED, over: 'file'} as const, 'the path of the file'],
  [{...EMPTY_NUMBERED, over: 'file', path: 'feed.jsonl'} as const, 'the whole path of the file, from the root'],
  [{...EMPTY_NUMBERED, over: 'file', path: './feed.jsonl'} as const, 'the whole path of the file, from the root'],
  [{...EMPTY_NUMBERED, over: 'sse'} as const, 'the URL of the stream'],
  [{...SOCKET, cursorAt: 'meta..cursor'}, 'the members down to the cursor, with one dot between two'],
  [
    {...SSE, url: 'https://a.example/?q=1'},
    'a URL that begins with http:// or https://, without a user name, a query or a fragment',
  ],
])('%j is not ready: it says what is missing', (draft, missing) => {
  expect(readNumberedDraft(draft)).toEqual({kind: 'notReady', missing: [missing]})
})

test('without a name of its own a source is called by where it comes from', () => {
  expect(usualName({...SOCKET, address: '/run/tides/feed.sock'})).toBe('feed.sock')
  expect(usualName(SSE)).toBe('tides.example.org')
})

test('the form shows what will be asked, with a cursor and without', () => {
  expect(askedBy(SOCKET)).toEqual({
    after: '{"resume":{"generation":5,"sequence":12},"future":"fail"}',
    fromTheBeginning: '{"resume":null,"future":"fail"}',
  })
  expect(askedBy({...SSE, lastEventId: '{generation}:{sequence}'})).toEqual({
    after: '?generation=5&sequence=12&future=fail, Last-Event-ID: 5:12',
    fromTheBeginning: '?future=fail',
  })
  expect(askedBy({...SOCKET, resume: ''})).toEqual({after: 'nothing', fromTheBeginning: 'nothing'})
  expect(askedBy({...EMPTY_NUMBERED, over: 'file'})).toBeUndefined()
})

test.each([
  ['cursor', 'type', '{"type":"event","cursor":{"generation":5,"sequence":12}}'],
  ['', '', '{"generation":5,"sequence":12}'],
  ['meta.cursor', 'meta.kind', '{"meta":{"kind":"event","cursor":{"generation":5,"sequence":12}}}'],
])('with the cursor at “%s” and the type at “%s” a message looks like %s', (cursorAt, typeAt, text) => {
  expect(exampleMessage({...SOCKET, cursorAt, typeAt})).toBe(text)
})

test.each([
  ['G:S', '5:12', '{generation}:{sequence}'],
  ['G-S', '5-12', '{generation}-{sequence}'],
  ['G/S', '5/12', '{generation}/{sequence}'],
  ['json', '{"generation":5,"sequence":12}', '{cursor}'],
] as const)('a cursor in the id of an event, as %s, is read there and asked for by it', (form, id, lastEventId) => {
  const draft = {...SSE, ...chooseCursorIn(SSE, form)}
  expect(draft).toMatchObject({query: '', lastEventId})
  expect(exampleMessage(draft)).toBe(`id: ${id}, data: {"type":"event"}`)
  expect(askedBy(draft)).toEqual({after: `Last-Event-ID: ${id}`, fromTheBeginning: 'nothing'})
  expect(readNumberedDraft(draft)).toMatchObject({kind: 'ready', source: {settings: {cursorAt: {id: form}}}})
  expect({...draft, ...chooseCursorIn(draft, 'data')}).toEqual(SSE)
})

test('what was written by hand stays, and lines have no id', () => {
  const own = {...SSE, lastEventId: 'after-{sequence}'}
  expect(chooseCursorIn(own, 'G:S')).toEqual({cursorIn: 'G:S'})
  expect(readNumberedDraft({...SOCKET, cursorIn: 'G:S'})).toMatchObject({source: {settings: {cursorAt: 'cursor'}}})
})

test('the form of a source that is there is filled in with its settings, and amounts to them', () => {
  const ways = [SOCKET, SSE, {...SSE, cursorIn: 'G-S'}, {...EMPTY_NUMBERED, over: 'file', path: '/feed.jsonl'}] as const
  for (const draft of ways) {
    const reading = readNumberedDraft({...draft, name: 'feed', typeAt: 'kind', future: 'wait'})
    if (reading.kind !== 'ready' || reading.source.settings.kind !== 'numbered') throw new Error('not ready')
    expect(readNumberedDraft(numberedDraftOf('feed', reading.source.settings))).toEqual(reading)
  }
})

test.each(['/var/log/feed.jsonl', 'C:\\logs\\feed.jsonl', 'C:/logs/feed.jsonl', '\\\\server\\share\\feed.jsonl'])(
  '%s is a whole path',
  (path) => {
    expect(readNumberedDraft({...EMPTY_NUMBERED, over: 'file', path}).kind).toBe('ready')
  },
)
