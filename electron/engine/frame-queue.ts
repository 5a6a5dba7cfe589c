/**
 * What was read and is not handled yet, between one reader and one handler. Bounded: a reader that is ahead waits, which is
 * the backpressure that reaches the socket.
 */
export interface FrameQueue<T> {
  /** Adds items; resolves once there is room for more. One batch is always taken whole, however large. */
  readonly push: (items: readonly T[], bytes: number) => Promise<void>
  /** Everything that is there, at least one item; `undefined` when the reader ended and nothing is left. */
  readonly takeAll: () => Promise<readonly T[] | undefined>
  /** No more will come. What is there can still be taken. */
  readonly end: () => void
  readonly size: () => number
}

export interface QueueRoom {
  readonly items: number
  readonly bytes: number
}

export function createFrameQueue<T>(room: QueueRoom): FrameQueue<T> {
  let items: T[] = []
  let bytes = 0
  let ended = false
  let wakeTaker = noop
  let wakePusher = noop

  return {
    async push(more, moreBytes) {
      for (const item of more) items.push(item) // a batch may hold more than a call can take arguments
      bytes += moreBytes
      wakeTaker()
      if (!ended && (items.length >= room.items || bytes >= room.bytes))
        await new Promise<void>((resolve) => (wakePusher = resolve))
    },
    async takeAll() {
      if (items.length === 0 && !ended) await new Promise<void>((resolve) => (wakeTaker = resolve))
      if (items.length === 0) return undefined
      const taken = items
      items = []
      bytes = 0
      wakePusher()
      return taken
    },
    end() {
      ended = true
      wakeTaker()
      wakePusher()
    },
    size: () => items.length,
  }
}

function noop(): void {}
