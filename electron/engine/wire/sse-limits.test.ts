import {expect, test} from 'vitest'
import {createSseReader, FRAME_CAP_BYTES} from './sse-reader.ts'
import {chunkings, cut, read, said, utf8} from './testing/read-body.ts'

test('a frame of exactly the cap is read, one byte more is not', () => {
  const block = 'data: 12345\r\n'
  for (const [, by] of chunkings) {
    expect(said(read(cut(utf8(`${block}\r\n`), by), block.length))).toEqual([{event: 'message', data: '12345'}])
    expect(said(read(cut(utf8(`${block}\r\ndata: 2\n\n`), by), block.length - 1))).toEqual([
      'too long',
      {event: 'message', data: '2'},
    ])
  }
})

test.each([
  ['a long line', `data: ${'x'.repeat(100)}\n`],
  ['many short lines', 'data: x\n'.repeat(20)],
  ['many comments', ': keepalive\r\n'.repeat(20)],
  ['many line ends of one byte, none of them blank', `${'x\r'.repeat(60)}x\n`],
])('%s over the cap is told once, and reading goes on after the next blank line', (_name, long) => {
  const bytes = utf8(`data: 1\n\n${long}\ndata: 2\n\n`)
  const expected = [{event: 'message', data: '1'}, 'too long', {event: 'message', data: '2'}]
  for (const [, by] of chunkings) expect(said(read(cut(bytes, by), 50))).toEqual(expected)
})

test('a line without an end is given up as soon as it is over the cap, once, and costs no memory after that', () => {
  const reader = createSseReader()
  const piece = Buffer.alloc(65_536, 'x')
  let fed = 0
  let told = 0
  while (told === 0) {
    fed += piece.length
    told += reader.feed(piece).length
  }
  expect(fed).toBe(FRAME_CAP_BYTES + piece.length)
  for (let n = 0; n < 200; n++) expect(reader.feed(piece)).toEqual([])
  expect(reader.feed(Buffer.from('\ndata: 1\n'))).toEqual([])
  expect(said(reader.feed(Buffer.from('\ndata: 2\n\n')))).toEqual([{event: 'message', data: '2'}])
})

test('the end of the body leaves a block over the cap told', () => {
  expect(said(read([utf8(`data: ${'x'.repeat(100)}`)], 50))).toEqual(['too long'])
})

/** Bytes searched, copied and decoded for one body. */
function work(bytes: Uint8Array, pieceBytes: number): number {
  let sum = 0
  const reader = createSseReader({onWork: (step) => (sum += step)})
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.feed(bytes.slice(at, at + pieceBytes))
  return sum
}

const bodies: ReadonlyArray<readonly [name: string, body: (size: number) => string]> = [
  ['one long line', (size) => `data: ${'x'.repeat(size)}\n\n`],
  ['one frame of many data lines', (size) => `${'data: x\n'.repeat(size / 8)}\n`],
  ['many small frames', (size) => 'id: 1\ndata: x\n\n'.repeat(size / 15)],
  ['CR only', (size) => 'data: xx\r\r'.repeat(size / 10)],
  ['one CR at the very end', (size) => `${'data: x\n\n'.repeat(size / 9)}\r`],
  ['lines without a colon', (size) => `${'x\n'.repeat(size / 2)}\n`],
]
test.each(bodies)('work grows linearly with size: %s', (_name, make) => {
  for (const pieceBytes of [7, 1460, 65_536]) {
    const [small, large] = [utf8(make(100_000)), utf8(make(500_000))]
    expect(work(large, pieceBytes) / large.length).toBeLessThan(2 * (work(small, pieceBytes) / small.length))
    expect(work(large, pieceBytes)).toBeLessThan(9 * large.length)
  }
})

test('a frame just under the cap comes through in pieces of 1460 bytes', () => {
  const data = JSON.stringify('x'.repeat(FRAME_CAP_BYTES - 9))
  const arrivals = read(cut(utf8(`data: ${data}\n\n`), [1460]))
  const [only] = arrivals
  expect(arrivals).toHaveLength(1)
  expect(only?.kind === 'frame' && only.frame.data === data && only.frame.cuts.length).toBe(
    Math.ceil(FRAME_CAP_BYTES / 1460) - 1,
  )
})
