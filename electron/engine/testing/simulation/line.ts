import type {StreamEnd} from '../../switch/transport.ts'
import {cutAnywhere} from './cut-anywhere.ts'
import type {Dice} from './dice.ts'
import type {Owner, Schedule} from './schedule.ts'

/** What the weather does to bytes. */
export interface LineWeather {
  /** How often a stream breaks at some byte, in [0, 1]. */
  readonly cuts: () => number
  readonly latency: () => number
}

/** One body on its way from the server to the engine. */
export interface Line {
  /** The server writes, ends cleanly, or resets. */
  readonly write: (said: string | Uint8Array) => void
  readonly end: () => void
  readonly reset: () => void
  /** The socket breaks between the two. */
  readonly breakOff: () => void
  /** The engine died and its socket with it: the server finds out, and nobody is told. */
  readonly orphan: () => void
  /** Nothing arrives any more, and no end either. */
  readonly stall: () => void
  /** The engine gave it up. */
  readonly abort: () => void
  /** The next piece, its whole blocks, or how the body ended. */
  readonly pull: () => Promise<Piece | StreamEnd>
}

export interface Piece {
  readonly kind: 'piece'
  readonly bytes: Uint8Array
  /** What is complete with this piece, without its end. */
  readonly blocks: readonly string[]
}

interface Parts {
  readonly schedule: Schedule
  readonly dice: Dice
  readonly weather: LineWeather
  readonly life: Owner
  /** Told once that the server will find the socket gone. */
  readonly onGone: () => void
  /** What stands behind a block; a blank line where not said. */
  readonly blockEnd?: string
  /** Whoever reads is given all that has arrived at once, as a socket does. */
  readonly joins?: boolean
}

const BROKEN = {kind: 'dropped', code: 'ECONNRESET'} as const

export function createLine(parts: Parts): Line {
  const {schedule, dice, weather, life, onGone, blockEnd = '\n\n', joins = false} = parts
  const pieces: Uint8Array[] = []
  const onTheWay: (() => void)[] = []
  const blockEnds = createBlockEnds(blockEnd)
  const breaksAt = dice.chance(weather.cuts()) ? dice.below(dice.pick([200, 1_000, 8_000])) : Number.POSITIVE_INFINITY
  let written = 0
  let lastArrival = 0
  let stalled = false
  let over: StreamEnd | undefined
  let wake = (): void => {}

  const finish = (end: StreamEnd): void => {
    over ??= end
    wake()
  }
  /** Whatever order events of one instant come in, a socket keeps its own. */
  const inOrder = (run: () => void): void => {
    onTheWay.push(run)
    lastArrival = Math.max(lastArrival, schedule.now() + weather.latency())
    schedule.after(lastArrival - schedule.now(), 'bytes', life, () => {
      const first = onTheWay.shift()
      if (over === undefined && !stalled) first?.()
    })
  }
  const breakOff = (): void => {
    if (over !== undefined) return
    finish(BROKEN)
    onGone()
  }
  const send = (bytes: Uint8Array): void =>
    inOrder(() => {
      pieces.push(bytes)
      wake()
    })

  const take = (): Uint8Array | undefined =>
    joins && pieces.length > 1 ? Buffer.concat(pieces.splice(0)) : pieces.shift()

  return {
    write(said) {
      const bytes = typeof said === 'string' ? new TextEncoder().encode(said) : said
      const left = Math.max(0, breaksAt - written)
      written += bytes.length
      blockEnds.write(bytes)
      const longest = dice.pick([bytes.length, bytes.length, 300, 40, 7])
      for (const piece of cutAnywhere(bytes.subarray(0, left), dice, longest)) send(piece)
      if (written > breaksAt && left > 0) inOrder(breakOff)
    },
    end: () => inOrder(() => finish({kind: 'closed'})),
    reset() {
      // A reset overtakes what is on its way, or does not.
      if (dice.chance(0.5)) inOrder(() => finish(BROKEN))
      else schedule.after(weather.latency(), 'bytes', life, () => finish(BROKEN))
    },
    breakOff,
    orphan: onGone,
    stall() {
      stalled = true
    },
    abort() {
      if (over === undefined) onGone()
      over = {kind: 'dropped', code: 'ABORTED'}
      wake()
    },
    async pull() {
      for (;;) {
        const isAborted = over?.kind === 'dropped' && over.code === 'ABORTED'
        const bytes = isAborted ? undefined : take()
        if (bytes !== undefined) return {kind: 'piece', bytes, blocks: blockEnds.read(bytes.length)}
        if (over !== undefined) return over
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

/** Finds the blocks of a body by their ends, as the server wrote it, and tells which of them a reader has in full. */
function createBlockEnds(end: string) {
  const blocks: {readonly text: string; readonly end: number}[] = []
  let tail = Buffer.alloc(0)
  let written = 0
  let read = 0
  return {
    write(bytes: Uint8Array): void {
      tail = Buffer.concat([tail, bytes])
      for (let at = tail.indexOf(end); at !== -1; at = tail.indexOf(end)) {
        written += at + end.length
        blocks.push({text: tail.subarray(0, at).toString('utf8'), end: written})
        tail = tail.subarray(at + end.length)
      }
    },
    read(bytes: number): readonly string[] {
      read += bytes
      const whole: string[] = []
      for (let first = blocks[0]; first !== undefined && first.end <= read; first = blocks[0]) {
        whole.push(first.text)
        blocks.shift()
      }
      return whole
    },
  }
}
