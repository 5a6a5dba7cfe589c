import type {LineArrival} from '../../../shared/frames/raw-line.ts'
import type {StreamEnd} from '../switch/transport.ts'
import {createLineSplitter} from '../wire/line-splitter.ts'
import type {MessageArrival, NumberedStream} from './transport.ts'

/** Lines of JSON. A piece without a whole line is an empty batch: it says that bytes came. What stands behind the last LF may be half a line. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  end: (cause: unknown) => StreamEnd,
): NumberedStream {
  const splitter = createLineSplitter()
  try {
    for await (const chunk of chunks) yield splitter.feed(chunk).flatMap(messagesOf)
    return end(undefined)
  } catch (cause) {
    return end(cause)
  }
}

/** A blank line keeps a connection alive and says nothing. */
export function messagesOf(arrival: LineArrival): readonly MessageArrival[] {
  if (arrival.kind === 'tooLong') return [arrival]
  const {text, bytes, cuts} = arrival.line
  return text.trim() === '' ? [] : [{kind: 'message', text, bytes, cuts}]
}
