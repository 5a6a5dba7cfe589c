import {readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {readBlock} from './read-block.ts'
import {createSseReader} from './sse-reader.ts'
import {chunkings, content, cut, read, said, utf8, withByteFF} from './testing/read-body.ts'

const a = {event: 'message', data: '{"a":1}'}
const rules: ReadonlyArray<readonly [behaviour: string, input: string, frames: readonly unknown[]]> = [
  ['LF ends lines', 'id: 7\nevent: x\ndata: {"a":1}\n\n', [{...a, event: 'x', id: '7'}]],
  ['CRLF ends lines', 'id: 7\r\nevent: x\r\ndata: {"a":1}\r\n\r\n', [{...a, event: 'x', id: '7'}]],
  ['CR ends lines', 'id: 7\revent: x\rdata: {"a":1}\r\r', [{...a, event: 'x', id: '7'}]],
  [
    'line ends may be mixed',
    'id: 7\r\nevent: x\rdata: {"a":1}\n\r\ndata: {"a":1}\r\n\r\rdata: {"a":1}\n\n',
    [{...a, event: 'x', id: '7'}, a, a],
  ],
  ['CR CR LF is a line end and a blank line', 'data: {"a":1}\r\r\ndata: {"a":1}\n\r', [a, a]],
  ['LF CR is a line end and a blank line', 'data: {"a":1}\n\rdata: {"a":1}\n\n', [a, a]],
  ['one byte order mark is skipped', '\uFEFFdata: {"a":1}\n\n', [a]],
  ['a second byte order mark belongs to the name of the field', '\uFEFF\uFEFFdata: {"a":1}\n\ndata: {"a":1}\n\n', [a]],
  ['a later byte order mark belongs to the name of the field', 'data: {"a":1}\n\n\uFEFFdata: {"a":1}\n\n', [a]],
  ['a byte order mark alone is nothing', '\uFEFF', []],
  ['without a space', 'id:7\nevent:x\ndata:{"a":1}\n\n', [{...a, event: 'x', id: '7'}]],
  [
    'one space is stripped, not two',
    'id:  7\nevent:  x\ndata:  {"a":1}\n\n',
    [{event: ' x', id: ' 7', data: ' {"a":1}'}],
  ],
  ['a tab is no space', 'data:\t1\n\n', [{event: 'message', data: '\t1'}]],
  ['a value may hold colons', 'data: a:b: c\n\n', [{event: 'message', data: 'a:b: c'}]],
  [
    'data lines are joined with a line feed',
    'data: {"a":\rdata: 1\r\ndata:}\n\n',
    [{event: 'message', data: '{"a":\n1\n}'}],
  ],
  ['an empty data line among others counts', 'data: 1\ndata\ndata:\n\n', [{event: 'message', data: '1\n\n'}]],
  ['two empty data lines join to a line feed', 'data:\ndata:\n\n', [{event: 'message', data: '\n'}]],
  ['data that is empty is no frame', 'data:\n\ndata: \n\ndata\n\nid: 7\ndata:\n\ndata: {"a":1}\n\n', [a]],
  ['no data is no frame', 'id: 9\nevent: gap\n\ndata: {"a":1}\n\n', [a]],
  [
    'comments and unknown fields are ignored',
    ': hi\nfoo: 1\nbar\n:\ndata: {"a":1}\nretry: 9\ndatax: 2\ndat: 3\nDATA: 4\n data: 5\n\n',
    [a],
  ],
  ['retry is ignored', 'retry: 5000\n\nretry: x\ndata: {"a":1}\n\n', [a]],
  ['keepalives are nothing', ': keepalive\n\n: keepalive\r\n\r\n:\n\n', []],
  ['blank lines in excess are nothing', '\n\r\n\r\r\n\ndata: {"a":1}\n\n\n\n\n', [a]],
  ['an id with a NUL is ignored', 'id: 7\0\ndata: {"a":1}\n\n', [a]],
  ['an id with a NUL leaves the id before it', 'id: 7\nid: 8\0\ndata: {"a":1}\n\n', [{...a, id: '7'}]],
  ['a NUL elsewhere is a character', 'event: a\0b\ndata: \0\n\n', [{event: 'a\0b', data: '\0'}]],
  ['an id belongs to its own frame', 'id: 7\ndata: {"a":1}\n\ndata: {"a":1}\n\n', [{...a, id: '7'}, a]],
  ['an event name belongs to its own frame', 'event: x\ndata: {"a":1}\n\ndata: {"a":1}\n\n', [{...a, event: 'x'}, a]],
  [
    'an id without a value is an empty id',
    'id\ndata: {"a":1}\n\nid:\ndata: {"a":1}\n\n',
    [
      {...a, id: ''},
      {...a, id: ''},
    ],
  ],
  ['the last event and id win', 'id: 7\nevent: x\nid: 8\nevent: y\ndata: {"a":1}\n\n', [{...a, event: 'y', id: '8'}]],
  ['an empty event name is message', 'event: x\nevent:\ndata: {"a":1}\n\nevent\ndata: {"a":1}\n\n', [a, a]],
  ['the end without a blank line discards', 'data: {"a":1}\n\nid: 7\ndata: {"a":1}\n', [a]],
  ['the end inside a line discards', 'data: {"a":1}\n\nid: 7\ndata: {"a":1}', [a]],
  [
    'two-, three- and four-byte characters',
    'event: é\nid: ☃\ndata: naïve ☃ 𝄞\n\n',
    [{event: 'é', id: '☃', data: 'naïve ☃ 𝄞'}],
  ],
  [
    'U+2028, U+0085 and form feed end no line',
    'data: x\u2028y\u0085z\f\v\n\n',
    [{event: 'message', data: 'x\u2028y\u0085z\f\v'}],
  ],
  ['a byte that is no UTF-8 becomes U+FFFD', 'data: "<FF>"\n\n', [{event: 'message', data: '"\uFFFD"'}]],
]

describe.each(chunkings)('fed %s', (_name, sizes) => {
  test.each(rules)('%s', (_behaviour, input, frames) => {
    expect(said(read(cut(withByteFF(input), sizes)))).toEqual(frames)
  })
})

interface ParserCase {
  readonly name: string
  readonly input: string
  readonly frames: readonly unknown[]
}
// The inputs on which the server project's own reader was run, with what section 10 of the note asks for instead.
const odd: readonly ParserCase[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/switch-parser.json', import.meta.url), 'utf8'),
)

test.each(odd.map((one) => [one.name, one] as const))('odd input: %s', (_name, {input, frames}) => {
  for (const [, sizes] of chunkings) expect(said(read(cut(withByteFF(input), sizes)))).toEqual(frames)
})

test('a multi-byte character cut off by a line end becomes U+FFFD and does not swallow the line end', () => {
  for (const broken of [[0xe2], [0xe2, 0x98], [0xf0, 0x9d, 0x84], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5]]) {
    const body = Buffer.concat([utf8('data: '), Buffer.from(broken), utf8('\n\ndata: 1\n\n')])
    const expected = new TextDecoder('utf-8').decode(Buffer.from(broken))
    for (const [, sizes] of chunkings)
      expect(read(cut(body, sizes)).map((one) => one.kind === 'frame' && one.frame.data)).toEqual([expected, '1'])
  }
})

test('a frame that is complete is told at once, also where its blank line may still be half of a CRLF', () => {
  const reader = createSseReader()
  expect(reader.feed(utf8('data: 1\r\n'))).toEqual([])
  expect(said(reader.feed(utf8('\r')))).toEqual([{event: 'message', data: '1'}])
  expect(said(reader.feed(utf8('\ndata: 2\n\n')))).toEqual([{event: 'message', data: '2'}])
})

test('the bytes of a frame are its block up to the blank line, comments and line ends included', () => {
  const blocks = [': c\r\nid: 7\rdata: ☃\n', 'data: 2\r\n', 'foo\ndata: 3\r']
  const body = utf8(`\n\n${blocks[0]}\n: keepalive\n\n${blocks[1]}\r\n${blocks[2]}\r`)
  for (const [, sizes] of chunkings) {
    const arrivals = read(cut(body, sizes))
    expect(arrivals.map((one) => one.kind === 'frame' && Buffer.from(one.frame.bytes).toString())).toEqual(blocks)
  }
})

test('cuts are the ends of chunks inside the frame, as offsets into its bytes', () => {
  const chunks = ['data: 0\n', '\nid: 7', '\nda', 'ta: 1\n', '\ndata: 2\n\n'].map(utf8)
  const cuts = read(chunks).map((one) => one.kind === 'frame' && one.frame.cuts)
  expect(cuts).toEqual([[], [5, 8], []])
})

test('an empty chunk changes nothing and cuts nothing', () => {
  const arrivals = read([utf8('da'), new Uint8Array(0), new Uint8Array(0), utf8('ta: 1\n\n')])
  expect(arrivals.map((one) => one.kind === 'frame' && one.frame.cuts)).toEqual([[2]])
})

test('a byte order mark that stays half is content', () => {
  const body = Buffer.concat([Buffer.from([0xef, 0xbb]), utf8('data: 1\n\ndata: 2\n\n')])
  for (const [, sizes] of chunkings) expect(said(read(cut(body, sizes)))).toEqual([{event: 'message', data: '2'}])
})

test('a reader used for one body can begin the next', () => {
  const reader = createSseReader()
  reader.feed(utf8('id: 7\ndata: 1'))
  reader.end()
  expect(said(reader.feed(utf8('\uFEFFdata: 2\n\n')))).toEqual([{event: 'message', data: '2'}])
})

const line = fc.oneof(
  fc.constantFrom(
    'data: {"a":1}',
    'data',
    'data:',
    'data: ',
    'id: 7',
    'id',
    'id: 8\0',
    'event: gap',
    'event:',
    ': c',
    'retry: 1',
    'foo: x',
    'data: ☃𝄞é',
    ' data: 1',
    'data:  2',
    '\uFEFF',
  ),
  fc.string({unit: 'binary', maxLength: 6}).map((text) => text.replaceAll(/[\r\n]/g, '')),
)
const lineEnd = fc.constantFrom('\n', '\r', '\r\n')
const body = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(fc.oneof(line, fc.constant('')), lineEnd), {maxLength: 30}),
    fc.option(line, {nil: ''}),
  )
  .map(([bom, lines, rest]) => `${bom ? '\uFEFF' : ''}${lines.flat().join('')}${rest}`)
const noise = fc
  .uint8Array({maxLength: 200})
  .map((bytes) => bytes.map((byte) => [0x0a, 0x0d, 0x64, 0x3a, 0xef, 0xbb, 0xbf, byte][byte % 8] ?? byte))
const sizes = fc.array(fc.integer({min: 1, max: 20}), {minLength: 1, maxLength: 10})

test('the frames and their bytes are the same wherever the chunks are cut', () => {
  fc.assert(
    fc.property(
      fc.oneof(body.map(utf8), noise),
      sizes,
      fc.constantFrom(undefined, 1, 12, 30),
      (bytes, cutting, capBytes) => {
        const whole = content(read([bytes], capBytes))
        for (const by of [cutting, [1, 2, 7, 3, 11], [1]])
          expect(content(read(cut(bytes, by), capBytes))).toEqual(whole)
      },
    ),
    {numRuns: 1500},
  )
})

test('cuts ascend strictly inside the bytes, and are where the chunks say', () => {
  fc.assert(
    fc.property(body.map(utf8), sizes, (bytes, cutting) => {
      const ends = new Set<number>()
      let sum = 0
      for (const chunk of cut(bytes, cutting)) {
        sum += chunk.length
        ends.add(sum)
      }
      let from = 0
      for (const arrival of read(cut(bytes, cutting))) {
        if (arrival.kind !== 'frame') continue
        const {bytes: block, cuts} = arrival.frame
        const at = Buffer.from(bytes).indexOf(block, from)
        const expected = [...ends].filter((end) => end > at && end < at + block.length).map((end) => end - at)
        expect(cuts).toEqual(expected)
        from = at + block.length
      }
    }),
  )
})

test('a frame read again from its bytes is the same frame', () => {
  fc.assert(
    fc.property(body.map(utf8), sizes, (bytes, cutting) => {
      for (const arrival of read(cut(bytes, cutting))) {
        if (arrival.kind !== 'frame') continue
        const frame = readBlock(arrival.frame.bytes)
        expect(frame === undefined ? undefined : content([{kind: 'frame', frame}])).toEqual(content([arrival]))
      }
    }),
  )
})

test('a block that began with a byte order mark inside its body is read again as it was read', () => {
  const [arrival] = read([utf8('\n\uFEFFid: 7\ndata: 1\n\n')])
  expect(arrival?.kind === 'frame' && readBlock(arrival.frame.bytes)).not.toHaveProperty('id')
  expect(readBlock(new Uint8Array())).toBeUndefined()
})
