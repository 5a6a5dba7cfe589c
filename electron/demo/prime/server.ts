import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {DemoClock} from '../demo-clock.ts'
import type {PlayStatus} from '../play.ts'
import {createCarrier} from './carrier.ts'
import type {ClientRecord} from './client-record.ts'
import type {SessionNames} from './daemon.ts'
import type {PrimeAction, PrimeScenario} from './scenario.ts'
import {createSocketDoor} from './socket-door.ts'
import {createStage} from './stage.ts'

export interface DemoDaemonSetup {
  readonly scenario: PrimeScenario
  readonly clock: DemoClock
  /** How many times faster than written the scenario plays, and the daemon waits; 1 where not said. */
  readonly speed?: number
  /** A path, or a pipe's name; one that is free where not said, in a folder of its own that goes in the end. */
  readonly socketPath?: string
}

export interface DemoDaemon {
  readonly socketPath: string
  /** Does one thing at once, besides what the scenario does. */
  readonly act: (action: PrimeAction) => void
  /** Everything that clients did so far. */
  readonly record: () => readonly ClientRecord[]
  readonly status: () => PlayStatus
  /** How a session, by its key, is named on the wire now. */
  readonly namesOf: (key: string) => SessionNames
  readonly close: () => Promise<void>
}

/** A Prime daemon on a local socket, playing a scenario to whoever attaches. */
export async function startDemoDaemon(setup: DemoDaemonSetup): Promise<DemoDaemon> {
  const {clock, scenario} = setup
  const folder = setup.socketPath === undefined ? ownFolder() : undefined
  const socketPath = setup.socketPath ?? freePath(folder, clock.uuid())
  const stage = createStage({
    scenario,
    socketPath,
    ...(setup.speed === undefined ? {} : {speed: setup.speed}),
    run: clock.uuid(),
    epochOffset: clock.now() - clock.monotonic(),
    startedAt: clock.now(),
  })
  const door = createSocketDoor(socketPath, (socket) => carrier.add(socket))
  const carrier = createCarrier(stage, clock, door)
  await door.listen()
  carrier.wake()
  return {
    socketPath,
    act: (action) => carrier.perform(stage.act(clock.monotonic(), action)),
    record: stage.record,
    status: stage.status,
    namesOf: stage.namesOf,
    close: async () => {
      carrier.stop()
      await door.close()
      if (folder !== undefined) rmSync(folder, {recursive: true, force: true})
    },
  }
}

/** Readable by its owner only, as the real one's. Windows has pipes instead. */
function ownFolder(): string | undefined {
  return process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'tidemark-demo-'))
}

function freePath(folder: string | undefined, unique: string): string {
  return folder === undefined ? `\\\\.\\pipe\\tidemark-demo-${unique}` : join(folder, 'daemon.sock')
}
