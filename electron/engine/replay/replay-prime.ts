import type {Lane} from '../../../shared/cursor/lane.ts'
import type {PrimeMessage} from '../../../shared/frames/prime-message.ts'
import type {LineArrival} from '../../../shared/frames/raw-line.ts'
import type {PrimeFact} from '../../../shared/sessions/prime-fact.ts'
import {createSessionTracker} from '../../../shared/sessions/session-tracker.ts'
import {createLineSplitter} from '../wire/line-splitter.ts'
import {cutBody} from './chunk-bytes.ts'
import {type PrimeEndLine, type PrimeLine, primeFrameLine, primeSessionLine, primeSnapshotLine} from './prime-lines.ts'
import {readStoredLine, type StoredLine} from './stored-line.ts'

export interface PrimeReplayOptions {
  /** Where sessions stood before the first byte, by durable id. */
  readonly start?: ReadonlyMap<string, Lane>
  /** Sizes in bytes, repeating, in which the file is fed; absent, as it comes. */
  readonly chunks?: readonly number[]
  /** Told of every line that is one of the daemon's. */
  readonly onKnown?: () => void
}

/**
 * Sends a stored stream of the Prime daemon through what a live source runs: splitter, classification, the sessions' rules. A
 * line for every numbered event and for every completed snapshot as it is decided, and the end line. Holds of the file one line
 * at a time.
 */
export async function* replayPrime(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  {start, chunks, onKnown}: PrimeReplayOptions = {},
): AsyncGenerator<PrimeLine, void, undefined> {
  const replay = createPrimeReplay(start, onKnown)
  const splitter = createLineSplitter()
  for await (const chunk of cutBody(body, chunks)) {
    for (const arrival of splitter.feed(chunk)) yield* replay.lines(arrival)
  }
  for (const arrival of splitter.end()) yield* replay.lines(arrival)
  yield replay.end()
}

interface PrimeReplay {
  readonly lines: (arrival: LineArrival) => readonly PrimeLine[]
  readonly end: () => PrimeEndLine
}

function createPrimeReplay(
  start: ReadonlyMap<string, Lane> | undefined,
  onKnown: PrimeReplayOptions['onKnown'],
): PrimeReplay {
  const tracker = createSessionTracker(start)
  let malformed = 0
  let unknown = 0

  const line = (conn: string | undefined, fact: PrimeFact): readonly PrimeLine[] => {
    if (fact.kind === 'malformed') malformed += 1
    if (fact.kind === 'unknown') unknown += 1
    if (fact.kind === 'frame') return [primeFrameLine(conn, fact)]
    return fact.kind === 'snapshot' ? [primeSnapshotLine(conn, fact)] : []
  }

  return {
    lines(arrival) {
      const stored = storedIn(arrival)
      if (stored === undefined) return []
      const {conn, message} = stored
      if (!NO_LINE_OF_IT.has(message.kind)) onKnown?.()
      return tracker.feed(conn ?? '', message).flatMap((fact) => line(conn, fact))
    },
    end: () => ({fact: 'end', sessions: tracker.sessions().map(primeSessionLine), malformed, unknown}),
  }
}

const NO_LINE_OF_IT: ReadonlySet<PrimeMessage['kind']> = new Set(['malformed', 'blank', 'unknown'])

function storedIn(arrival: LineArrival): StoredLine | undefined {
  return arrival.kind === 'line' ? readStoredLine(arrival.line.text) : {message: {kind: 'malformed', problem: arrival}}
}
