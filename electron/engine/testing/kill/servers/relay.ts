import {once} from 'node:events'
import {type AddressInfo, connect, createServer, type Socket} from 'node:net'

/** What one connection brought to the client, as far as it was passed on. */
export interface Passage {
  readonly pieces: Buffer[]
}

/** Where the other side is struck: behind so many lines more, and so far into the next one. */
export interface Strike {
  readonly lines: number
  /** Of the next line, in [0, 1). 0: between two lines. */
  readonly into: number
}

/**
 * Stands before a server that may be dead, at an address that stays. It passes every byte, writes down what it passed to the
 * client, and tells exactly when a server is to be killed: nothing behind that place reaches anybody.
 */
export interface Relay {
  /** The port of a TCP server; where it was given a path, that. */
  readonly address: number | string
  readonly passages: readonly Passage[]
  /** Where the server is now; `undefined`: nowhere. */
  readonly lead: (upstream: number | string | undefined) => void
  readonly strike: (strike: Strike, then: () => void) => void
  readonly close: () => void
}

const LINE_END = 0x0a

export async function startRelay(at: number | string): Promise<Relay> {
  const passages: Passage[] = []
  const sockets = new Set<Socket>()
  let upstream: number | string | undefined
  let struck: {left: number; readonly into: number; readonly then: () => void} | undefined

  const end = (): void => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  /** @returns how much of the piece may pass, where the server dies within it */
  const deathIn = (piece: Buffer): number | undefined => {
    if (struck === undefined) return undefined
    let from = 0
    for (; struck.left > 0; struck.left -= 1) {
      const next = piece.indexOf(LINE_END, from)
      if (next < 0) return undefined
      from = next + 1
    }
    const next = piece.indexOf(LINE_END, from)
    if (struck.into > 0 && from >= piece.length) return undefined // the next line is in another piece
    return from + Math.floor(((next < 0 ? piece.length : next) - from) * struck.into)
  }
  const server = createServer((client) => {
    if (upstream === undefined) return void client.destroy()
    const passage: Passage = {pieces: []}
    passages.push(passage)
    const onward = typeof upstream === 'number' ? connect(upstream, '127.0.0.1') : connect(upstream)
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        sockets.delete(one)
        other.destroySoon()
      })
    }
    client.on('data', (piece) => onward.write(piece))
    onward.on('data', (piece: Buffer) => {
      const dies = deathIn(piece)
      const passed = dies === undefined ? piece : piece.subarray(0, dies)
      if (passed.length > 0) {
        passage.pieces.push(passed)
        client.write(passed)
      }
      if (dies === undefined) return
      const then = struck?.then
      struck = undefined
      upstream = undefined
      onward.destroy()
      for (const socket of sockets) socket.destroySoon()
      then?.()
    })
  })
  if (typeof at === 'string') server.listen(at)
  else server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: typeof at === 'string' ? at : (server.address() as AddressInfo).port, // a TCP server's address is no pipe's name
    passages,
    lead(to) {
      upstream = to
      if (to === undefined) end()
    },
    strike({lines, into}, then) {
      struck = {left: lines, into, then}
    },
    close() {
      end()
      server.close()
    },
  }
}

/** The lines that reached the client whole. */
export function linesOf({pieces}: Passage): readonly string[] {
  return Buffer.concat(pieces).toString('utf8').split('\n').slice(0, -1)
}
