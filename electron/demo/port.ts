import {join} from 'node:path'
import type {Clock} from '../engine/clock.ts'
import type {DemoPort} from '../engine/demo-port.ts'
import type {BridgeTiming} from './bridge-state.ts'
import {demoCallbacks} from './callbacks.ts'
import {findNumberedScenario} from './numbered/scenarios.ts'
import {type NumberedServer, startNumberedServer} from './numbered/server.ts'
import {findPrimeScenario, primeScenarios} from './prime/scenarios.ts'
import {type DemoDaemon, startDemoDaemon} from './prime/server.ts'
import {findScenario} from './scenarios.ts'
import {type DemoServer, startDemoServer} from './server.ts'

export interface DemoPortOptions {
  /** How many times faster than written scenarios play and callbacks take; 1 where not said. */
  readonly speed?: number
  /** The protocol's own times; a real server's where not said. */
  readonly timing?: BridgeTiming
  /** The folder in which the numbered server keeps its snapshots, so that its cursors stay valid. Deleting it is losing them. Absent: they end with the server. */
  readonly snapshots?: string
  /** The folder for the daemon's socket: at the same path in every run its sessions are found again. Absent, or too long a path: one of its own. */
  readonly sockets?: string
}

/** The demo in this process: one server for each scenario asked for, until all are stopped. */
export function createDemoPort(clock: Clock, options: DemoPortOptions = {}): DemoPort {
  const servers = new Map<string, Promise<DemoServer>>()
  const daemons = new Map<string, Promise<DemoDaemon>>()
  const numbered = new Map<string, Promise<NumberedServer>>()
  const sockets = new Set(primeScenarios.flatMap(({name}) => socketFor(name, options).socketPath ?? []))

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
      const running =
        daemons.get(name) ?? startDemoDaemon({...speedOf(options), ...socketFor(name, options), scenario, clock})
      daemons.set(name, running)
      running.catch(() => daemons.delete(name))
      const {socketPath, namesOf} = await running
      sockets.add(socketPath)
      return {socket: socketPath, sessionId: namesOf(key).sessionId}
    },
    startNumbered: async (name) => {
      const scenario = findNumberedScenario(name)
      if (scenario === undefined) throw new Error(`no numbered server of the demo is named ${name}`)
      const store = options.snapshots === undefined ? {} : {store: join(options.snapshots, scenario.name)}
      const running = numbered.get(name) ?? startNumberedServer({...speedOf(options), ...store, scenario, clock})
      numbered.set(name, running)
      running.catch(() => numbered.delete(name))
      const {lines} = await running
      return {settings: {...NUMBERED_DEMO, from: {over: 'socket', address: `127.0.0.1:${lines}`, resume: RESUME_LINE}}}
    },
    owns: (socket) => sockets.has(socket),
    plays: (wire, name) => SCENARIOS[wire](name) !== undefined,
    restartNumbered: async (name, store) => {
      const running = await numbered.get(name)
      if (running === undefined) throw new Error(`the demo’s server ${name} does not run`)
      running.act({kind: 'restart', store})
    },
    stop: async () => {
      const running = [...servers.values(), ...daemons.values(), ...numbered.values()]
      servers.clear()
      daemons.clear()
      numbered.clear()
      await Promise.all(running.map((server) => server.then(({close}) => close())))
    },
  }
}

const SCENARIOS = {switch: findScenario, prime: findPrimeScenario, numbered: findNumberedScenario} as const

function speedOf({speed}: DemoPortOptions): {readonly speed?: number} {
  return speed === undefined ? {} : {speed}
}

/** What the narrowest system takes for a socket's path, in bytes, without the end it adds. */
const LONGEST_PATH = 103

function socketFor(name: string, {sockets}: DemoPortOptions): {readonly socketPath?: string} {
  const socketPath = join(sockets ?? '', `demo-${name}.sock`)
  const fits = Buffer.byteLength(socketPath) <= LONGEST_PATH && process.platform !== 'win32'
  return sockets !== undefined && fits ? {socketPath} : {}
}

const RESUME_LINE = '{"resume":{cursor},"future":"{future}"}'
const NUMBERED_DEMO = {kind: 'numbered', cursorAt: 'cursor', typeAt: 'type', future: 'fail'} as const
