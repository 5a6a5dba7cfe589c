import type {Writable} from 'node:stream'
import type {Output} from './output.ts'

/** Thrown by a line that nobody reads any more: `| head -1` has all it wanted. */
export class ReaderGone extends Error {
  constructor() {
    super('whoever read the output has gone')
  }
}

/** Writes at the speed of whoever reads: a line is done when there is room for the next one. */
export function terminalOutput(results: Writable, notes: Writable): Output {
  const gone = new AbortController()
  results.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EPIPE') throw cause
    gone.abort()
  })
  notes.on('error', () => {}) // nobody is told that nobody is told
  return {
    async line(text) {
      if (gone.signal.aborted) throw new ReaderGone()
      if (!results.write(`${text}\n`)) await roomAgain(results, gone.signal)
      if (gone.signal.aborted) throw new ReaderGone()
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
