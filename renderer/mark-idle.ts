import type {Transport} from '../shared/contract/client.ts'

export interface IdleDeps {
  readonly later: (ms: number, run: () => void) => void
  /** Runs its argument once what is due by now is painted. */
  readonly afterPaint: (run: () => void) => void
  readonly show: (idle: boolean) => void
}

/** Longer than any pause of the page's own between a change and the question it leads to, in ms. */
const QUIET_MS = 250

/**
 * The same transport, and a word on the page for programs that look at it (a test, a maker of pictures): idle once nothing
 * has come and nothing was asked for a moment, every question is answered, and all of it is painted.
 */
export function markIdle(transport: Transport, {later, afterPaint, show}: IdleDeps): Transport {
  let unanswered = 0
  let doings = 0
  const begin = (): void => {
    doings += 1
    show(false)
  }
  const settle = (): void => {
    const last = doings
    const calm = (): boolean => unanswered === 0 && doings === last
    later(QUIET_MS, () => {
      if (calm()) afterPaint(() => calm() && show(true))
    })
  }
  return {
    request: async (channel, input) => {
      unanswered += 1
      begin()
      try {
        return await transport.request(channel, input)
      } finally {
        unanswered -= 1
        settle()
      }
    },
    subscribe: (onBatch) =>
      transport.subscribe((batch) => {
        begin()
        onBatch(batch)
        settle()
      }),
  }
}
