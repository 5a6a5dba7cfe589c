import type {Clock} from '../engine/clock.ts'

/** What is asked of Electron's `app`. */
interface Quitting {
  readonly once: (event: 'will-quit', listener: (event: {readonly preventDefault: () => void}) => void) => void
  readonly exit: (code: number) => void
}

/** How long what still runs may take to end when the app quits, in ms. A callback's own grace is 2 s. */
const PATIENCE_MS = 10_000

/**
 * Lets the app end only after what runs was closed. Every position is durable at any instant, so nothing depends on it; but a
 * callback may come to its end instead of being cut off. What does not end is cut off all the same: it is journaled, and runs
 * again at the next start. Whoever asks a second time is not kept.
 *
 * Closing begins in a turn of its own. A debugger's word to quit can come in the middle of any function, also of Node's own that
 * just reads a socket: were the socket destroyed under its hands, it would throw.
 */
export function quitInOrder(app: Quitting, close: () => Promise<void>, clock: Clock): void {
  const {signal} = new AbortController()
  app.once('will-quit', (event) => {
    event.preventDefault()
    const patience = clock.wait(PATIENCE_MS, signal)
    const closed = clock.wait(0, signal).then(close)
    void Promise.race([closed, patience]).then(
      () => app.exit(0),
      (cause: unknown) => {
        console.error(cause)
        app.exit(1)
      },
    )
  })
}
