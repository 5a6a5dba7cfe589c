import {createParser} from 'eventsource-parser'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createSseReader} from './sse-reader.ts'
import {cut} from './testing/read-body.ts'

interface Said {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

/**
 * eventsource-parser as a second opinion on what a body says. It follows the WHATWG standard but for what is adapted here:
 * it leaves an absent event name to its caller; it makes an event of data that is empty (as the standard does, and the
 * Switch note does not); it reads text, so a streaming decoder stands before it; and it holds a CR at the end back, so a body
 * that ends in one is given its LF. It keeps no id for the next event, which suits us, where the standard would.
 */
function oracle(chunks: readonly Uint8Array[]): Said[] {
  const events: Said[] = []
  const parser = createParser({
    onEvent: ({event, id, data}) => {
      if (data !== '') events.push({event: event || 'message', id, data})
    },
  })
  const decoder = new TextDecoder()
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, {stream: true}))
  return events
}

function ours(chunks: readonly Uint8Array[]): Said[] {
  const reader = createSseReader()
  return chunks
    .flatMap((chunk) => reader.feed(chunk))
    .flatMap((arrival) => (arrival.kind === 'frame' ? [arrival.frame] : []))
    .map(({event, id, data}) => ({event, id, data}))
}

function whole(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === 0x0d ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes
}

const value = fc.oneof(
  fc.constantFrom('', ' ', '  ', '7', '{"a":1}', 'naïve ☃ 𝄞', ':', ' :x', 'a\0b', '\u2028', '\uFEFF'),
  fc.string({unit: 'binary', maxLength: 8}),
)
const name = fc.constantFrom(
  'data',
  'data',
  'data',
  'event',
  'id',
  'retry',
  '',
  'foo',
  'Data',
  ' data',
  'datas',
  'dat',
  'i',
  'e',
)
const line = fc.oneof(
  fc.tuple(name, fc.constantFrom(':', ': ', ''), value).map((parts) => parts.join('').replaceAll(/[\r\n]/g, '')),
  fc.constant(''),
)
const body = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n', '\n\n')), {maxLength: 40}))
  .map(([bom, lines]) => Buffer.from(`${bom ? '\uFEFF' : ''}${lines.flat().join('')}`))
const bytes = fc.uint8Array({maxLength: 300}).map((noise) => {
  const likely = Buffer.from('data:id:event: \n\n\r\r\n\n\xef\xbb\xbf☃\0')
  return Uint8Array.from(noise, (byte, n) => (n % 9 === 0 ? byte : (likely[byte % likely.length] ?? byte)))
})
const sizes = fc.array(fc.integer({min: 1, max: 30}), {minLength: 1, maxLength: 8})

test('an independent parser finds the same frames in the same body, however each is cut', () => {
  fc.assert(
    fc.property(fc.oneof(body, bytes), sizes, sizes, (stream, ourCuts, itsCuts) => {
      expect(ours(cut(whole(stream), ourCuts))).toEqual(oracle(cut(whole(stream), itsCuts)))
    }),
    {numRuns: 3000},
  )
})
