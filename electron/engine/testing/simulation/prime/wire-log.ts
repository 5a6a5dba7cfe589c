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
  readonly clear: () => void
}

interface Reader {
  readonly lines: readonly string[]
  readonly at: number
}

/**
 * A source does not say on which connection it reads, and some lines are the same on several. So every connection that fits what
 * was journaled so far is followed.
 */
export function createLineOrder(log: WireLog): LineOrder {
  let readers: readonly Reader[] = []
  const isAhead = ({lines, at}: Reader): boolean => !readers.some((one) => one.lines === lines && one.at > at)
  return {
    next(kept) {
      const fits = ({lines, at}: Reader): boolean => isKept(lines[at], kept)
      const going = readers.filter(fits)
      const found = going.length > 0 ? going : log.connections().flatMap(beginnings).filter(isAhead).filter(fits)
      readers = found.map(({lines, at}) => ({lines, at: at + 1}))
      return found[0]?.lines[found[0].at]
    },
    clear() {
      readers = []
    },
  }
}

/** A connection is read from its first line on, or from the one behind a replacement, where another source left it. */
function beginnings(lines: readonly string[]): readonly Reader[] {
  const behind = lines.flatMap((line, index) => (readReplaced(line) === undefined ? [] : [index + 1]))
  return [0, ...behind].map((at) => ({lines, at}))
}

function isKept(line: string | undefined, kept: string): boolean {
  if (line === undefined) return false
  return isSecret(line) ? kept === '' : line === kept
}
