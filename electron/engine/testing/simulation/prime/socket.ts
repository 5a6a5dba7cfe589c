import {err, ok} from '../../../../../shared/base/result.ts'
import type {Heard, OpenSocket, SocketTransport} from '../../../prime/transport.ts'
import type {TransportWeather} from '../asked.ts'
import {cutAnywhere} from '../cut-anywhere.ts'
import type {Dice} from '../dice.ts'
import {heed, type Mortal} from '../heed.ts'
import {type Schedule, type Scheduled, WORLD} from '../schedule.ts'
import type {DaemonServer} from './daemon-server.ts'

/** A socket that others can break. */
export interface Breakable {
  readonly breakOff: () => void
  readonly stall: () => void
  /** The engine died and its socket with it: the server finds out, and nobody is told. */
  readonly orphan: () => void
}

interface Parts {
  readonly schedule: Schedule
  readonly dice: Dice
  readonly weather: TransportWeather
  readonly life: Mortal
  readonly serverAt: (path: string) => DaemonServer | undefined
  /** Takes note of the bytes of a new connection. */
  readonly tap: (path: string) => (bytes: Uint8Array) => void
  readonly opened: (path: string, socket: Breakable) => () => void
}

/** As the transport of real sockets has it. In ms. */
const CONNECT_MS = 3_000

/** Carries lines without sockets: what is said is the same text, and everything on the way takes time, is cut or is lost. */
export function simulatedSockets(parts: Parts): SocketTransport {
  const {schedule, dice, weather, life} = parts
  return {
    connect: (path, heard, signal) =>
      new Promise((resolve) => {
        const server = parts.serverAt(path)
        const socket = createSocket(parts, path, heard, resolve)
        if (signal.aborted) socket.leave()
        heed(life, signal, socket.leave)
        if (dice.chance(weather.losses() / 2)) return // nobody answers
        schedule.after(weather.latency(), 'server', WORLD, () => {
          if (!life.alive()) return
          if (server?.door() === 'open') return socket.join(server)
          socket.refuse(server?.door() === 'stale' ? 'ECONNREFUSED' : 'ENOENT')
        })
      }),
    watchFolder(path, onChange) {
      const notices = parts.serverAt(path)?.watchDoor(() => {
        if (dice.chance(0.7)) schedule.after(weather.latency(), 'answer', life, onChange)
      })
      return () => notices?.()
    },
  }
}

type Answer = (result: Awaited<ReturnType<SocketTransport['connect']>>) => void

interface Way {
  /** What is sent in one direction keeps its order, whatever time each piece takes. */
  readonly send: (run: () => void) => void
}

function createWay({schedule, weather}: Parts, owner: Mortal | typeof WORLD): Way {
  const onTheWay: (() => void)[] = []
  let lastArrival = 0
  return {
    send(run) {
      onTheWay.push(run)
      lastArrival = Math.max(lastArrival, schedule.now() + weather.latency())
      const tag = owner === WORLD ? 'server' : 'bytes'
      schedule.after(lastArrival - schedule.now(), tag, owner, () => onTheWay.shift()?.())
    },
  }
}

/** One socket, both of its ends. */
function createSocket(parts: Parts, path: string, heard: Heard, answer: Answer) {
  const {schedule, dice, weather, life} = parts
  const [down, up] = [createWay(parts, life), createWay(parts, WORLD)]
  const breaksAt = dice.chance(weather.cuts() / 2)
    ? dice.below(dice.pick([500, 4_000, 40_000]))
    : Number.POSITIVE_INFINITY
  const hear = parts.tap(path)
  let written = 0
  let isOver = false
  let isLeft = false
  let isStalled = false
  let fullUntil = 0
  let atServer: {readonly server: DaemonServer; readonly id: number} | undefined
  let closed = (): void => {}

  const serverFinds = (): void =>
    up.send(() => {
      if (atServer !== undefined) atServer.server.gone(atServer.id)
    })
  const finish = (code: string | undefined): void => {
    if (isOver) return
    isOver = true
    closed()
    deadline.cancel()
    answer(err(code ?? 'ABORTED'))
    heard.onEnd(code)
  }
  const leave = (): void => {
    if (isOver || isLeft) return
    isLeft = true
    serverFinds()
    schedule.after(0, 'bytes', life, () => finish(undefined))
  }
  const breakOff = (): void => {
    if (isOver || isLeft) return
    serverFinds()
    finish('ECONNRESET')
  }
  const deadline: Scheduled = schedule.after(CONNECT_MS, 'timer', life, () => {
    serverFinds()
    finish('ETIMEDOUT')
  })
  const deliver = (bytes: Uint8Array): void =>
    down.send(() => {
      if (isOver || isLeft || isStalled) return
      hear(bytes)
      heard.onBytes(bytes)
    })
  const write = (bytes: Uint8Array): void => {
    const left = Math.max(0, breaksAt - written)
    written += bytes.length
    const longest = dice.pick([bytes.length, bytes.length, bytes.length, 900, 120])
    for (const piece of cutAnywhere(bytes.subarray(0, left), dice, longest)) deliver(piece)
    if (written > breaksAt && left > 0) down.send(breakOff)
  }
  const mine: OpenSocket = {
    send(text) {
      if (isOver || isLeft) return
      up.send(() => {
        if (atServer === undefined) return
        for (const line of text.split('\n')) if (line !== '') atServer.server.received(atServer.id, line)
      })
    },
    close: leave,
  }

  return {
    leave,
    refuse: (code: string): void => down.send(() => finish(code)),
    join(server: DaemonServer): void {
      if (isOver || isLeft) return
      closed = parts.opened(path, {
        breakOff,
        stall: () => {
          isStalled = true
        },
        orphan: serverFinds,
      })
      down.send(() => {
        if (isOver || isLeft) return
        deadline.cancel()
        answer(ok(mine))
      })
      const id = server.connect({
        write,
        isFull() {
          if (fullUntil <= schedule.now() && dice.chance(weather.cuts() * 0.06)) {
            fullUntil = schedule.now() + dice.between(1, 300)
            schedule.after(fullUntil - schedule.now(), 'server', WORLD, () => server.drained(id))
          }
          return fullUntil > schedule.now()
        },
        end: () => down.send(() => finish(undefined)),
      })
      atServer = {server, id}
    },
  }
}
