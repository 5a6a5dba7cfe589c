import type {Held} from '../../../shared/callbacks/held.ts'
import type {Activity} from '../../../shared/history/activity.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import type {Clock} from '../clock.ts'
import type {SourceController} from '../source-controller.ts'
import type {StoreReader} from '../store/store.ts'
import {createSuccession} from './create-succession.ts'
import {createDaemonFinder, type DaemonFinder} from './daemon-finder.ts'
import type {RemovedSessions} from './removed-sessions.ts'
import type {SocketList} from './socket-list.ts'
import type {Succession} from './succession.ts'
import type {SocketTransport} from './transport.ts'
import {sessionOf} from './watched-session.ts'

/** How Prime daemons on this machine are found. */
export interface PrimeDeps {
  readonly transport: SocketTransport
  /** Absent: only daemons that are named are looked for. */
  readonly defaultSocket?: string
  readonly sockets: SocketList
}

/** What all watched sessions of daemons share. */
export interface Prime {
  readonly transport: SocketTransport
  readonly finder: DaemonFinder
  readonly succession: Succession
  readonly openActivities: (source: SourceId) => Promise<readonly Activity[]>
  readonly close: () => Promise<void>
}

export interface PrimeSurroundings {
  readonly clock: Clock
  readonly read: Pick<StoreReader, 'openActivities'>
  readonly sources: ReadonlyMap<SourceId, SourceController>
  readonly removed: RemovedSessions
  readonly add: (record: SourceRecord, held: Held) => SourceController
  readonly onDaemons: () => void
}

export async function createPrime(deps: PrimeDeps, around: PrimeSurroundings): Promise<Prime> {
  const {transport} = deps
  const {clock, sources, read, onDaemons} = around
  const succession = createSuccession(around)
  const isUsed = (socket: string): boolean => [...sources.values()].some(({run}) => sessionOf(run)?.socket === socket)
  const finder = await createDaemonFinder({...deps, clock, isUsed, onChange: onDaemons})
  return {
    transport,
    finder,
    succession,
    // Written from activities alone; the brands are all that a row lacks.
    openActivities: async (source) => (await read.openActivities(source)) as readonly Activity[],
    async close() {
      succession.close()
      await finder.close()
    },
  }
}
