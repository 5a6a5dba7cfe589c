import type {Clock} from './clock.ts'
import {numberedTransports} from './numbered/open-numbered.ts'
import type {ProfileOptions} from './open-profile.ts'
import {defaultSocket} from './prime/default-socket.ts'
import {socketTransport} from './prime/socket-transport.ts'
import {createHttpAgents} from './switch/http-request.ts'
import {httpTransport} from './switch/http-transport.ts'
import {probeHealth} from './switch/probe-health.ts'

type OutsideWorld = Required<Pick<ProfileOptions, 'openTransport' | 'probeHealth' | 'openNumbered' | 'prime'>>

/** How an engine reaches bridges, daemons and numbered streams: the same in the desktop app and in host mode. */
export function outsideWorld(clock: Clock): OutsideWorld {
  const agents = createHttpAgents()
  return {
    openTransport: (target) => httpTransport(target, {agents, clock}),
    probeHealth: (url, signal) => probeHealth(url, signal, clock),
    openNumbered: numberedTransports(clock),
    prime: {transport: socketTransport(clock), defaultSocket: defaultSocket()},
  }
}
