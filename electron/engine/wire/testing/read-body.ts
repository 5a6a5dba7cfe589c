import type {Arrival} from '../../../../shared/frames/raw-frame.ts'
import {createSseReader} from '../sse-reader.ts'

export const chunkings: ReadonlyArray<readonly [name: string, sizes: readonly number[]]> = [
  ['whole', [Number.MAX_SAFE_INTEGER]],
  ['in pieces of 1, 2, 7, 3, 11', [1, 2, 7, 3, 11]],
  ['byte by byte', [1]],
]

/** Cuts into these sizes, repeating. */
export function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? bytes.length
    chunks.push(bytes.slice(at, at + size))
    at += size
  }
  return chunks
}

export function read(chunks: readonly Uint8Array[], capBytes?: number): Arrival[] {
  const reader = createSseReader(capBytes === undefined ? {} : {capBytes})
  return [...chunks.flatMap((chunk) => reader.feed(chunk)), ...reader.end()]
}

/** What an arrival says, without its cuts: they alone may depend on the chunks. */
export function content(arrivals: readonly Arrival[]) {
  return arrivals.map((arrival) => {
    if (arrival.kind === 'tooLong') return 'too long'
    const {event, id, data, bytes} = arrival.frame
    return {event, ...(id === undefined ? {} : {id}), data, bytes: latin1(bytes)}
  })
}

/** What a frame says, without its bytes. */
export function said(arrivals: readonly Arrival[]) {
  return content(arrivals).map((one) => {
    if (typeof one === 'string') return one
    const {bytes: _bytes, ...rest} = one
    return rest
  })
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
/** `<FF>` stands for the byte FF, which no text can hold. */
export const withByteFF = (text: string): Uint8Array =>
  Buffer.concat(text.split('<FF>').flatMap((part, n) => (n === 0 ? [utf8(part)] : [Buffer.from([0xff]), utf8(part)])))
