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
  const plain = [json, asciiJson(json), hex, hex.toUpperCase()]
  return [percentEncoded(secret), ...new Set(plain.map(escaped)), ...base64Within(bytes)].join('|')
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

/**
 * For each of the three places in which a secret may begin: the characters that depend on it alone; where they are there, the
 * one before and the one after them, which hold bits of it beside others; and what fills up the end. In both alphabets.
 */
function base64Within(bytes: readonly number[]): readonly string[] {
  const own = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return [0, 1, 2].flatMap((before) => {
    const head = (6 - ((before * 8) % 6)) % 6 // bits of it in the character that it begins in
    const whole = own.slice(head).match(/[01]{6}/g) ?? []
    if (whole.length < SHORTEST_WITHIN) return []
    const tail = own.slice(head + whole.length * 6)
    const first = head === 0 ? '' : `${sixes((six) => six.endsWith(own.slice(0, head)))}?`
    const last = tail === '' ? '' : sixes((six) => six.startsWith(tail))
    return `${first}${whole.map((six) => sixes((one) => one === six)).join('')}(?:${last}={0,2})?`
  })
}

/** A class of the characters whose six bits are such, in either alphabet. */
function sixes(fits: (six: string) => boolean): string {
  const found = [...BASE64].filter((_character, value) => fits(value.toString(2).padStart(6, '0'))).join('')
  return `[${found.replace('+', '+\\-').replace('/', '/_')}]`
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
