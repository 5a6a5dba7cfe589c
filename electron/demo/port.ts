import type {Clock} from '../engine/clock.ts'
import type {DemoPort} from '../engine/demo-port.ts'
import type {BridgeTiming} from './bridge-state.ts'
import {demoCallbacks} from './callbacks.ts'
import {findPrimeScenario} from './prime/scenarios.ts'
import {type DemoDaemon, startDemoDaemon} from './prime/server.ts'
import {findScenario} from './scenarios.ts'
import {type DemoServer, startDemoServer} from './server.ts'

export interface DemoPortOptions {
  /** How many times faster than written scenarios play and callbacks take; 1 where not said. */
  readonly speed?: number
  /** The protocol's own times; a real server's where not said. */
  readonly timing?: BridgeTiming
}

/** The demo in this process: one server for each scenario asked for, until all are stopped. */
export function createDemoPort(clock: Clock, options: DemoPortOptions = {}): DemoPort {
  const servers = new Map<string, Promise<DemoServer>>()
  const daemons = new Map<string, Promise<DemoDaemon>>()

  return {
    start: async (name) => {
      const scenario = findScenario(name)
      if (scenario === undefined) throw new Error(`no demo scenario is named ${name}`)
      const running = servers.get(name) ?? startDemoServer({...options, scenario, clock})
      servers.set(name, running)
      // One that could not start is forgotten, so that the next try is a new one.
      running.catch(() => servers.delete(name))
      const {url, agentId, token} = await running
      return {target: {url, agentId, token}, callbacks: demoCallbacks(scenario, clock, options.speed)}
    },
    startDaemon: async (name) => {
      const scenario = findPrimeScenario(name)
      const key = scenario?.sessions[0]?.key
      if (scenario === undefined || key === undefined) throw new Error(`no daemon of the demo is named ${name}`)
      // Once only: every lap would end with other sessions than it began with.
      const {loopFrom: _, ...once} = scenario
      const running = daemons.get(name) ?? startDemoDaemon({...speedOf(options), scenario: once, clock})
      daemons.set(name, running)
      running.catch(() => daemons.delete(name))
      const {socketPath, namesOf} = await running
      return {socket: socketPath, sessionId: namesOf(key).sessionId}
    },
    stop: async () => {
      const running = [...servers.values(), ...daemons.values()]
      servers.clear()
      daemons.clear()
      await Promise.all(running.map((server) => server.then(({close}) => close())))
    },
  }
}

function speedOf({speed}: DemoPortOptions): {readonly speed?: number} {
  return speed === undefined ? {} : {speed}
}
