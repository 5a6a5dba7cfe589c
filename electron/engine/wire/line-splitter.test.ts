import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {createLineSplitter, LINE_CAP_BYTES} from './line-splitter.ts'
import {chunkings, cut, utf8, withByteFF} from './testing/read-body.ts'
import {lineContent, split, texts} from './testing/split-lines.ts'

const rules: ReadonlyArray<readonly [behaviour: string, input: string, lines: readonly string[]]> = [
  ['LF ends a line', '{"a":1}\n{"a":2}\n', ['{"a":1}', '{"a":2}']],
  ['one CR before the LF is stripped', '1\r\n2\r\r\n', ['1', '2\r']],
  ['a CR elsewhere ends no line', '1\r2\n\r3\n', ['1\r2', '\r3']],
  ['U+2028, U+2029, U+0085 and form feed end no line', '"x\u2028y\u2029z\u0085\f"\n', ['"x\u2028y\u2029z\u0085\f"']],
  ['blank lines are lines', '\n\r\n1\n\n', ['', '', '1', '']],
  ['what stands behind the last LF is a line', '1\n2', ['1', '2']],
  ['a CR at the very end is stripped too', '1\n2\r', ['1', '2']],
  ['nothing is no line', '', []],
  ['two-, three- and four-byte characters', '"é☃𝄞"\n"𝄞"', ['"é☃𝄞"', '"𝄞"']],
  ['a byte that is no UTF-8 becomes U+FFFD', '"<FF>"\n1\n', ['"\uFFFD"', '1']],
  ['a byte order mark is content', '\uFEFF1\n', ['\uFEFF1']],
  ['a NUL is content', '"\0"\n', ['"\0"']],
]

const cuttings = [...chunkings, ['in twos', [2]], ['in elevens', [11]]] as const

describe.each(cuttings)('fed %s', (_name, sizes) => {
  test.each(rules)('%s', (_behaviour, input, lines) => {
    expect(texts(split(cut(withByteFF(input), sizes)))).toEqual(lines)
  })
})

test('a multi-byte character cut off by a line end becomes U+FFFD and does not swallow the line end', () => {
  for (const broken of [[0xe2], [0xe2, 0x98], [0xf0, 0x9d, 0x84], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5]]) {
    const body = Buffer.concat([Buffer.from(broken), utf8('\n1\n')])
    const expected = new TextDecoder('utf-8').decode(Buffer.from(broken))
    for (const [, sizes] of cuttings) expect(texts(split(cut(body, sizes)))).toEqual([expected, '1'])
  }
})

test('a line is told with the LF that ends it, and what a broken stream left of one is dropped', () => {
  const splitter = createLineSplitter()
  expect(splitter.feed(utf8('{"a"'))).toEqual([])
  expect(texts(splitter.feed(utf8(':1}\n{"b":')))).toEqual(['{"a":1}'])
  splitter.forget()
  expect(texts(splitter.feed(utf8('{"c":1}\n')))).toEqual(['{"c":1}'])
  expect(splitter.end()).toEqual([])
})

test('cuts are the ends of chunks inside the line, as offsets into its bytes', () => {
  const chunks = ['0\n', '{"id"', '', ':', '1}\r', '\n2', '\n'].map(utf8)
  expect(split(chunks).map((one) => one.kind === 'line' && one.line.cuts)).toEqual([[], [5, 6], []])
})

test('the bytes of a line are its own: they keep its CR, and no larger piece alive', () => {
  const piece = Buffer.alloc(200_000, 'x\r\n')
  const [first] = createLineSplitter().feed(new Uint8Array(piece))
  if (first?.kind !== 'line') throw new Error('no line')
  expect(Buffer.from(first.line.bytes).toString()).toBe('x\r')
  expect(first.line.bytes.buffer.byteLength).toBeLessThanOrEqual(65_536)
})

const text = fc
  .array(fc.constantFrom('a', '"', '\r', '\n', 'é', '☃', '𝄞', '\u2028', '\0', '\r\n'), {maxLength: 60})
  .map((parts) => utf8(parts.join('')))
const noise = fc
  .uint8Array({maxLength: 80})
  .map((bytes) => bytes.map((byte) => [0x0a, 0x0d, 0xe2, 0x98, 0x83, byte][byte % 6] ?? byte))
const sizes = fc.array(fc.integer({min: 1, max: 20}), {minLength: 1, maxLength: 8})

test('the lines and their bytes are the same wherever the chunks are cut', () => {
  fc.assert(
    fc.property(fc.oneof(text, noise), sizes, fc.constantFrom(undefined, 1, 5, 20), (bytes, cutting, capBytes) => {
      const whole = lineContent(split([bytes], capBytes))
      for (const by of [cutting, [1, 2, 7, 3, 11], [1]])
        expect(lineContent(split(cut(bytes, by), capBytes))).toEqual(whole)
    }),
    {numRuns: 1500},
  )
})

test('the bytes of the lines, joined with LF, are the stream', () => {
  fc.assert(
    fc.property(fc.oneof(text, noise), sizes, (bytes, cutting) => {
      const lines = split(cut(bytes, cutting)).map((one) =>
        one.kind === 'line' ? Buffer.from(one.line.bytes) : never(),
      )
      const again = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
      const ended = bytes.at(-1) === 0x0a || bytes.length === 0
      expect(again).toEqual(Buffer.concat([bytes, Buffer.from(ended ? '' : '\n')]))
    }),
  )
})

function never(): never {
  throw new Error('no line is too long')
}

test('a line of exactly the cap is read; one byte more is told once, and reading goes on after its LF', () => {
  for (const [, by] of cuttings) {
    expect(texts(split(cut(utf8('12345\n1\n'), by), 5))).toEqual(['12345', '1'])
    expect(texts(split(cut(utf8('1\n123456\n2\n'), by), 5))).toEqual(['1', undefined, '2'])
    expect(texts(split(cut(utf8(`1\n${'x'.repeat(50)}`), by), 5))).toEqual(['1', undefined])
    expect(texts(split(cut(utf8('1234\r\n12345\r\n'), by), 5))).toEqual(['1234', undefined])
  }
})

test('a line without an end is given up as soon as it is over the cap, once, and costs no memory after that', () => {
  const splitter = createLineSplitter()
  const piece = Buffer.alloc(1_048_576, 'x')
  let fed = 0
  let told = 0
  while (told === 0) {
    fed += piece.length
    told += splitter.feed(piece).length
  }
  expect(fed).toBe(LINE_CAP_BYTES + piece.length)
  for (let n = 0; n < 20; n++) expect(splitter.feed(piece)).toEqual([])
  expect(texts(splitter.feed(utf8('\n1\n')))).toEqual(['1'])
})

/** Bytes searched, copied and decoded for one stream. */
function work(bytes: Uint8Array, pieceBytes: number): number {
  let sum = 0
  const splitter = createLineSplitter({onWork: (step) => (sum += step)})
  for (let at = 0; at < bytes.length; at += pieceBytes) splitter.feed(bytes.slice(at, at + pieceBytes))
  splitter.end()
  return sum
}

test.each([
  ['one long line', (size: number) => 'x'.repeat(size)],
  ['many short lines', (size: number) => 'x\n'.repeat(size / 2)],
  ['blank lines', (size: number) => '\n'.repeat(size)],
])('work grows linearly with size: %s', (_name, make) => {
  for (const pieceBytes of [7, 1460, 65_536]) {
    const [small, large] = [utf8(make(100_000)), utf8(make(500_000))]
    expect(work(large, pieceBytes) / large.length).toBeLessThan(2 * (work(small, pieceBytes) / small.length))
    expect(work(large, pieceBytes)).toBeLessThan(9 * large.length)
  }
})

test('a line just under the cap comes through in pieces of 64 KiB', () => {
  const line = Buffer.alloc(LINE_CAP_BYTES, 'x')
  const [only, ...more] = split(cut(Buffer.concat([line, utf8('\n')]), [65_536]))
  expect(more).toEqual([])
  expect(only?.kind === 'line' && only.line.text.length === LINE_CAP_BYTES && only.line.cuts.length).toBe(
    LINE_CAP_BYTES / 65_536 - 1,
  )
})
