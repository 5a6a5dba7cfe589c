import {isSecret, readReplaced} from './read-line.ts'

/** What came over every connection to one daemon, line by line, as this life of the engine was given it. */
export interface WireLog {
  /** A connection; returns who takes its bytes. */
  readonly open: () => (bytes: Uint8Array) => void
  readonly connections: () => readonly (readonly string[])[]
  /** The process is gone, and with it what it read. */
  readonly clear: () => void
}

const LF = 10

export function createWireLog(): WireLog {
  let connections: string[][] = []
  return {
    open() {
      const lines: string[] = []
      connections.push(lines)
      let rest = Buffer.alloc(0)
      return (bytes) => {
        rest = Buffer.concat([rest, bytes])
        for (let at = rest.indexOf(LF); at !== -1; at = rest.indexOf(LF)) {
          if (at > 0) lines.push(rest.subarray(0, at).toString('utf8')) // an empty line is none
          rest = rest.subarray(at + 1)
        }
      }
    },
    connections: () => connections,
    clear() {
      connections = []
    },
  }
}

/** Holds the journal of one source to what came: line after line of one connection, and then of the next. */
export interface LineOrder {
  /** The next line that this one can be; `undefined`: none that came, or one was left out. */
  readonly next: (kept: string) => string | undefined
  /** What the last one may have been: of what may not be kept the bytes do not say which connection it came on. */
  readonly candidates: () => readonly string[]
  readonly clear: () => void
}

interface Reader {
  readonly lines: readonly string[]
  readonly at: number
  /** Which connection it is of those that this life opened; absent where another source left it. */
  readonly opened?: number
}

/**
 * A source does not say on which connection it reads, and some lines are the same on several. So every connection that fits what
 * was journaled so far is followed.
 */
export function createLineOrder(log: WireLog): LineOrder {
  let readers: readonly Reader[] = []
  let lines: readonly string[] = []
  /** A source opens one connection after the other. */
  let newest = -1
  const isAhead = ({lines, at}: Reader): boolean => !readers.some((one) => one.lines === lines && one.at > at)
  const begun = (): readonly Reader[] =>
    log
      .connections()
      .flatMap(beginnings)
      .filter(({opened = Number.POSITIVE_INFINITY}) => opened > newest)
  return {
    candidates: () => lines,
    next(kept) {
      const fits = ({lines, at}: Reader): boolean => isKept(lines[at], kept)
      const going = readers.filter(fits)
      // A source may leave a connection while more comes on it, or while another one says the same that it has not said yet.
      const found = [...going, ...begun().filter(isAhead).filter(fits)]
      const opened = found.flatMap((one) => (one.opened === undefined ? [] : [one.opened]))
      if (opened.length === found.length && found.length > 0) newest = Math.max(newest, Math.min(...opened))
      readers = found.map((one) => ({...one, at: one.at + 1}))
      lines = found.map(({lines, at}) => lines[at] ?? '')
      return lines[0]
    },
    clear() {
      readers = []
      lines = []
      newest = -1
    },
  }
}

/** A connection is read from its first line on, or from the one behind a replacement, where another source left it. */
function beginnings(lines: readonly string[], opened: number): readonly Reader[] {
  const behind = lines.flatMap((line, index) => (readReplaced(line) === undefined ? [] : [index + 1]))
  return [{lines, at: 0, opened}, ...behind.map((at) => ({lines, at}))]
}

function isKept(line: string | undefined, kept: string): boolean {
  if (line === undefined) return false
  return isSecret(line) ? kept === '' : line === kept
}
