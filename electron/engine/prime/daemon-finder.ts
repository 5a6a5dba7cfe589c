import type {PrimeDaemon} from '../../../shared/contract/rows.ts'
import type {Clock} from '../clock.ts'
import {type DaemonWatch, watchDaemon} from './daemon-watch.ts'
import type {SocketList} from './socket-list.ts'
import type {SocketTransport} from './transport.ts'

/** Every daemon that is looked for: behind the default socket, behind those the user named, and behind those of sources. */
export interface DaemonFinder {
  readonly watchOf: (socket: string) => DaemonWatch
  readonly list: () => readonly PrimeDaemon[]
  /** Lists the sessions of all of them anew. */
  readonly refresh: () => Promise<void>
  readonly name: (socket: string) => Promise<void>
  readonly forget: (socket: string) => Promise<void>
  /** A socket that nobody named is looked at for as long as a source needs it. */
  readonly tidy: () => void
  readonly close: () => Promise<void>
}

export interface DaemonFinderDeps {
  readonly transport: SocketTransport
  readonly clock: Clock
  /** Absent: only what is named is looked for. */
  readonly defaultSocket?: string
  readonly sockets: SocketList
  readonly onChange: () => void
  readonly isUsed: (socket: string) => boolean
}

export async function createDaemonFinder(deps: DaemonFinderDeps): Promise<DaemonFinder> {
  const {defaultSocket, sockets, onChange} = deps
  const watches = new Map<string, DaemonWatch>()
  let named = await sockets.load()
  const wanted = (socket: string): boolean => socket === defaultSocket || named.includes(socket) || deps.isUsed(socket)
  const watchOf = (socket: string): DaemonWatch => {
    const known = watches.get(socket) ?? watchDaemon(socket, deps)
    watches.set(socket, known)
    return known
  }
  const tidy = (): void => {
    for (const [socket, watch] of watches) {
      if (wanted(socket)) continue
      watches.delete(socket)
      void watch.close()
    }
    onChange()
  }

  for (const socket of [...(defaultSocket === undefined ? [] : [defaultSocket]), ...named]) watchOf(socket)
  return {
    watchOf,
    tidy,
    list: () => [...watches.values()].map(({view}) => view()),
    async refresh() {
      await Promise.all([...watches.values()].map((watch) => watch.refresh()))
    },
    async name(socket) {
      if (!named.includes(socket)) await sockets.save([...named, socket])
      named = [...named.filter((one) => one !== socket), socket]
      watchOf(socket)
    },
    async forget(socket) {
      const left = named.filter((one) => one !== socket)
      if (left.length < named.length) await sockets.save(left)
      named = left
      tidy()
    },
    async close() {
      await Promise.all([...watches.values()].map((watch) => watch.close()))
    },
  }
}
