import {chmodSync, linkSync, renameSync, rmSync} from 'node:fs'
import {createServer, type Server, type Socket} from 'node:net'
import type {Door} from './carrier.ts'

/** A local socket at a path, or a named pipe, that can be shut and opened again. */
export interface SocketDoor extends Door {
  readonly close: () => Promise<void>
}

export function createSocketDoor(path: string, onSocket: (socket: Socket) => void): SocketDoor {
  let server: Server | undefined
  let turn: Promise<void> = Promise.resolve()
  let closed = false

  /** A door is shut before it is opened again, whatever was asked meanwhile. */
  const next = (step: () => Promise<void>): Promise<void> => {
    turn = turn.then(step)
    return turn
  }

  const open = async (): Promise<void> => {
    if (closed || server !== undefined) return
    if (isFile(path)) rmSync(path, {force: true})
    server = await listen(path, onSocket)
  }

  const shut = async (stale: boolean): Promise<void> => {
    const leaving = server
    server = undefined
    if (leaving === undefined) return
    // Node takes the file away with the server; a second name for it does not go.
    const kept = stale && isFile(path) ? `${path}.stale` : undefined
    if (kept !== undefined) linkSync(path, kept)
    // Who connected keeps his connection: only new ones are not let in. So nobody waits for the server to end.
    leaving.close()
    if (kept !== undefined) renameSync(kept, path)
  }

  return {
    listen: () => next(open),
    unlisten: (stale) => next(() => shut(stale)),
    close: () => {
      closed = true
      return next(async () => {
        await shut(false)
        if (isFile(path)) rmSync(path, {force: true})
      })
    },
  }
}

/** A pipe's name is no file. */
function isFile(path: string): boolean {
  return !path.startsWith('\\\\')
}

function listen(path: string, onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onSocket)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      // For its owner only, as the real one's, whatever folder it lies in.
      if (isFile(path)) chmodSync(path, 0o600)
      resolve(server)
    })
  })
}
