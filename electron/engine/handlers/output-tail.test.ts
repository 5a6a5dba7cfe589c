import fc from 'fast-check'
import {expect, test} from 'vitest'
import {OUTPUT_KEPT} from '../../../shared/handlers/handler-run.ts'
import {createOutputTail} from './output-tail.ts'

const SECRET = 'FORTYCAPITALSTHATMAYBECUTINTWOANYWHERE'

function textOf(chunks: readonly Uint8Array[], secrets: readonly string[] = [SECRET]): string {
  const tail = createOutputTail(secrets)
  for (const chunk of chunks) tail.push(chunk)
  return tail.text()
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...places, bytes.length].map((place, n) => bytes.subarray(places[n - 1] ?? 0, place))
}

test('what is kept is the same wherever the chunks are cut', () => {
  const bytes = Buffer.from(`é${'long line '.repeat(9_000)}${SECRET} und täglich grüßt ${SECRET}`)
  const whole = textOf([bytes])
  expect(whole).toMatch(/\[secret\] und täglich grüßt \[secret\]$/)
  fc.assert(
    fc.property(fc.array(fc.nat(200_000), {maxLength: 20}), (cuts) => {
      expect(textOf(cutAt(bytes, cuts))).toBe(whole)
    }),
    {numRuns: 50},
  )
})

test('no part of a secret is left where the tail begins inside of one, however many others were taken out behind it', () => {
  for (const part of ['', ' ', 'ab', 'x'.repeat(7)])
    for (let more = 0; more < SECRET.length; more++) {
      const text = `${SECRET}${part}`.repeat(9_000) + '.'.repeat(more)
      expect(textOf([Buffer.from(text)])).not.toMatch(/[A-Z]/)
    }
})

test('a tail is never longer than it may be, and never begins inside of a character', () => {
  const text = textOf([Buffer.from('€'.repeat(100_000))])
  expect(Buffer.byteLength(text)).toBe(OUTPUT_KEPT - 1)
  expect(text).toMatch(/^€+$/)
})

test('what stays below the limit is kept to its first byte', () => {
  expect(textOf([Buffer.from(`${SECRET} at the beginning`)])).toBe('[secret] at the beginning')
})
