import {watch} from 'node:fs'
import {connect} from 'node:net'
import {basename, dirname} from 'node:path'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import type {Clock} from '../clock.ts'
import type {SocketTransport} from './transport.ts'

/** The stock client gives up after so long, in ms. */
const CONNECT_MS = 3_000

/** A Unix socket, or a named pipe. */
export function socketTransport(clock: Clock): SocketTransport {
  return {
    connect: (path, heard, signal) =>
      new Promise((resolve) => {
        const socket = connect({path}) // never the bare text: digits would be a port
        const over = new AbortController()
        let code: string | undefined
        const answer = (result: Awaited<ReturnType<SocketTransport['connect']>>): void => {
          over.abort()
          resolve(result)
        }
        const leave = (): void => void socket.destroy()
        socket.on('connect', () => answer(ok({send: (text) => void socket.write(text), close: leave})))
        socket.on('data', heard.onBytes)
        socket.on('error', (cause) => {
          code = codeOf(cause)
          answer(err(code))
        })
        socket.on('close', () => {
          signal.removeEventListener('abort', leave)
          answer(err(code ?? 'ABORTED'))
          heard.onEnd(code)
        })
        if (signal.aborted) leave()
        signal.addEventListener('abort', leave, {once: true})
        void clock.wait(CONNECT_MS, over.signal).then(() => {
          if (over.signal.aborted) return
          answer(err('ETIMEDOUT'))
          leave()
        })
      }),
    watchFolder: (path, onChange) => watchQuietly(path, onChange),
  }
}

function codeOf(cause: Error): string {
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

/** A folder that is not there, or that the system cannot watch, tells nothing: whoever waits looks now and then anyway. */
function watchQuietly(path: string, onChange: () => void): () => void {
  const name = basename(path)
  // A folder such as /tmp changes all the time, and each look is a connection that is tried.
  const heard = (_: string, changed: string | null): void => {
    if (changed === null || changed === name) onChange()
  }
  const watcher = attempt(() => watch(dirname(path), {persistent: false}, heard))
  if (!watcher.ok) return () => {}
  watcher.value.on('error', () => watcher.value.close())
  return () => watcher.value.close()
}

function attempt<T>(work: () => T): Result<T, unknown> {
  try {
    return ok(work())
  } catch (cause) {
    return err(cause)
  }
}
