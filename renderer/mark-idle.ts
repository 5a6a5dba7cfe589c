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
 * The same transport, and a word on the page for programs that look at it (a test, a maker of pictures): idle once every
 * question is answered, none was asked for a moment, and the answers are painted. A stream that never rests does not count:
 * what comes by itself is never over.
 */
export function markIdle(transport: Transport, {later, afterPaint, show}: IdleDeps): Transport {
  let asked = 0
  let unanswered = 0
  const settle = (): void => {
    const last = asked
    const calm = (): boolean => unanswered === 0 && asked === last
    later(QUIET_MS, () => {
      if (calm()) afterPaint(() => calm() && show(true))
    })
  }
  return {
    ...transport,
    request: async (channel, input) => {
      asked += 1
      unanswered += 1
      show(false)
      try {
        return await transport.request(channel, input)
      } finally {
        unanswered -= 1
        settle()
      }
    },
  }
}
