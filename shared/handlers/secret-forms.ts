import {wellFormed} from '../base/well-formed.ts'

/** Shorter ones would be found everywhere. In UTF-16 code units. */
const SHORTEST = 4

/** What is looked for inside of a longer encoded text says too little below this. In characters. */
const SHORTEST_WITHIN = 8

/** No form is longer: each character as the escaped bytes of its UTF-8. */
const BYTES_A_CODE_UNIT = 9

/**
 * Finds a secret in every form in which a program would print it: as it is, as a JSON string, with any of its characters percent-encoded,
 * in hexadecimal, and in base64, wherever in a longer text it stands there. `undefined`: it is too short to be looked for.
 */
export function patternOfSecret(secret: string): string | undefined {
  if (secret.length < SHORTEST) return undefined
  const bytes = utf8(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const hex = bytes.map(hexOf).join('')
  const plain = [json, asciiJson(json), hex, hex.toUpperCase(), ...base64Within(bytes)]
  return [percentEncoded(secret), ...new Set(plain.map(escaped))].join('|')
}

/** In bytes of UTF-8: so much must be looked at together, or a secret could be cut in two where the text is. */
export function longestForm(known: readonly string[]): number {
  return BYTES_A_CODE_UNIT * Math.max(0, ...known.map(({length}) => length))
}

/** Encoders do not agree on what needs to be encoded. */
function percentEncoded(secret: string): string {
  return [...secret]
    .map((character) => {
      const encoded = utf8(character).map(
        (byte) => `%${hexOf(byte).replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`,
      )
      return `(?:${encoded.join('')}|${escaped(character)}${character === ' ' ? '|\\+' : ''})`
    })
    .join('')
}

function asciiJson(json: string): string {
  return json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The characters that depend on the secret alone, for each of the three places in which it may begin; in both alphabets. */
function base64Within(bytes: readonly number[]): readonly string[] {
  const found = [0, 1, 2].map((before) => {
    const bits = [...Array.from({length: before}, () => 0), ...bytes]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
    const own = bits.slice(Math.ceil((before * 8) / 6) * 6, Math.floor(bits.length / 6) * 6)
    return own.replaceAll(/[01]{6}/g, (six) => BASE64[Number.parseInt(six, 2)] ?? '')
  })
  return found
    .filter(({length}) => length >= SHORTEST_WITHIN)
    .flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

function utf8(text: string): readonly number[] {
  const parts = encodeURIComponent(wellFormed(text)).match(/%[0-9A-F]{2}|[^%]/g) ?? []
  return parts.map((part) => (part.length === 3 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0)))
}

function hexOf(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
