import type {LineArrival} from '../../../../shared/frames/raw-line.ts'
import {createLineSplitter} from '../line-splitter.ts'

export function split(chunks: readonly Uint8Array[], capBytes?: number): LineArrival[] {
  const splitter = createLineSplitter(capBytes === undefined ? {} : {capBytes})
  return [...chunks.flatMap((chunk) => splitter.feed(chunk)), ...splitter.end()]
}

/** What an arrival says, without its cuts: they alone may depend on the chunks. */
export function lineContent(arrivals: readonly LineArrival[]) {
  return arrivals.map((arrival) =>
    arrival.kind === 'tooLong'
      ? 'too long'
      : {text: arrival.line.text, bytes: Buffer.from(arrival.line.bytes).toString('latin1')},
  )
}

export function texts(arrivals: readonly LineArrival[]): readonly (string | undefined)[] {
  return arrivals.map((arrival) => (arrival.kind === 'line' ? arrival.line.text : undefined))
}
