import {connect, type NetConnectOpts, type Socket} from 'node:net'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import type {NumberedFrom} from '../../../shared/source/numbered.ts'
import {resumeLine} from '../../../shared/source/resume-request.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {Clock} from '../clock.ts'
import {errorCode} from '../switch/http-request.ts'
import {readLines} from './read-lines.ts'
import {endOf} from './stream-end.ts'
import type {NumberedTransport} from './transport.ts'

const CONNECT_MS = 10_000
/** A server that is gone without a word is found after so long, in ms, by the system. */
const KEEP_ALIVE_MS = 30_000

/** Lines of JSON over TCP or a local socket. The first line that is sent asks where to begin. */
export function lineSocketTransport(
  {address, resume}: Extract<NumberedFrom, {over: 'socket'}>,
  clock: Clock,
): NumberedTransport {
  return {
    async open(ask, signal) {
      const reached = await reach(address, clock, signal)
      if (!reached.ok) return reached
      const socket = reached.value
      if (resume.trim() !== '') socket.write(`${resumeLine(resume, ask)}\n`)
      return ok(readLines(socket, (cause) => endOf(cause, signal)))
    },
  }
}

function reach(address: string, clock: Clock, signal: AbortSignal): Promise<Result<Socket, Ending>> {
  if (signal.aborted) return Promise.resolve(notReached('ABORTED'))
  return new Promise((resolve) => {
    const socket = connect({...placeOf(address), keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS})
    const answered = new AbortController()
    const leave = (): void => void socket.destroy()
    signal.addEventListener('abort', leave, {once: true})
    const answer = (result: Result<Socket, Ending>): void => {
      answered.abort()
      resolve(result)
    }
    socket.once('connect', () => answer(ok(socket)))
    // Stays for good: a socket that breaks while nobody reads would otherwise end the process.
    socket.on('error', (cause) => answer(notReached(errorCode(cause))))
    socket.once('close', () => {
      signal.removeEventListener('abort', leave)
      answer(notReached('ABORTED'))
    })
    void clock.wait(CONNECT_MS, answered.signal).then(() => {
      if (answered.signal.aborted) return
      answer(notReached('ETIMEDOUT'))
      leave()
    })
  })
}

function notReached(detail: string): Result<never, Ending> {
  return err({kind: 'notReached', detail})
}

/** A number behind the last colon is a port; everything else is a path. */
export function placeOf(
  address: string,
): Pick<NetConnectOpts & {host: string; port: number}, 'host' | 'port'> | {path: string} {
  const [, host = '', port = ''] = /^\[?([^/\\\]]+)\]?:(\d{1,5})$/.exec(address.trim()) ?? []
  return port === '' || Number(port) > 65_535 ? {path: address.trim()} : {host, port: Number(port)}
}
