import {assertNever} from '../../../shared/base/assert-never.ts'
import type {Clock} from '../clock.ts'
import {createHttpAgents} from '../switch/http-request.ts'
import {fileTransport} from './file-transport.ts'
import {lineSocketTransport} from './socket-transport.ts'
import {sseTransport} from './sse-transport.ts'
import type {OpenNumbered} from './transport.ts'

/** Numbered streams of this machine and its network. */
export function numberedTransports(clock: Clock): OpenNumbered {
  const agents = createHttpAgents()
  return ({from, cursorAt, typeAt}) => {
    switch (from.over) {
      case 'socket':
        return lineSocketTransport(from, clock)
      case 'file':
        return fileTransport(from.path, {over: 'file', cursorAt, typeAt}, clock)
      case 'sse':
        return sseTransport(from, agents, clock)
      default:
        return assertNever(from)
    }
  }
}
