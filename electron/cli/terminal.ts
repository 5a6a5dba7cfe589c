import type {Writable} from 'node:stream'
import type {Output} from './output.ts'

/** Thrown by a line that nobody reads any more: `| head -1` has all it wanted. */
export class ReaderGone extends Error {
  constructor() {
    super('whoever read the output has gone')
  }
}

/** Thrown by a line that could not be written: a full disk, a device that refuses. */
export class OutputFailed extends Error {
  constructor(cause: Error) {
    super(`the output could not be written: ${cause.message}`, {cause})
  }
}

/** Writes at the speed of whoever reads: a line is done when there is room for the next one. */
export function terminalOutput(results: Writable, notes: Writable): Output {
  const gone = new AbortController()
  let failed: Error | null = null // kept here: a standard output forgets its own
  const check = (): void => {
    failed ??= results.errored
    if (failed !== null) throw 'code' in failed && failed.code === 'EPIPE' ? new ReaderGone() : new OutputFailed(failed)
  }
  results.on('error', (cause) => {
    failed ??= cause
    gone.abort()
  })
  notes.on('error', () => {}) // nobody is told that nobody is told
  return {
    async line(text) {
      check()
      const room = results.write(`${text}\n`)
      check()
      if (!room) await roomAgain(results, gone.signal)
      check()
    },
    note: (text) => void notes.write(`${text}\n`),
  }
}

function roomAgain(stream: Writable, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done)
      gone.removeEventListener('abort', done)
      resolve()
    }
    stream.on('drain', done)
    gone.addEventListener('abort', done)
  })
}
