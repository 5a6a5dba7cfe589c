import {err, ok, type Result} from '../../../../../shared/base/result.ts'
import type {NumberedFrom} from '../../../../../shared/source/numbered.ts'
import {resumeLine} from '../../../../../shared/source/resume-request.ts'
import type {Ending} from '../../../../../shared/source/source-machine.ts'
import {readFirstLine, readQuery, refusalMessage} from '../../../../demo/numbered/resume-ask.ts'
import type {Clock} from '../../../clock.ts'
import {readLines} from '../../../numbered/read-lines.ts'
import {callOf, readMessages, refusedBy} from '../../../numbered/sse-transport.ts'
import {endOf} from '../../../numbered/stream-end.ts'
import type {NumberedStream, NumberedTransport, OpenNumbered} from '../../../numbered/transport.ts'
import {asked, type TransportWeather} from '../asked.ts'
import type {Dice} from '../dice.ts'
import {heed, type Mortal} from '../heed.ts'
import {createLine, type Line} from '../line.ts'
import type {Breakable} from '../prime/socket.ts'
import {type Schedule, WORLD} from '../schedule.ts'
import type {Asked} from './ask-witness.ts'
import {openFileStream} from './file-stream.ts'
import type {NumberedEnd} from './numbered-end.ts'
import type {NumberedSocket} from './numbered-server.ts'
import type {Numbering} from './server-numbering.ts'

interface Parts {
  readonly schedule: Schedule
  readonly dice: Dice
  readonly weather: TransportWeather
  readonly life: Mortal
  readonly clock: Clock
  /** By the address that a source was given. */
  readonly endAt: (address: string) => NumberedEnd | undefined
  /** A body that is open now, so that others can break it. Returns its end. */
  readonly opened: (address: string, line: Breakable) => () => void
  readonly note: (line: () => string) => void
}

/** As the transports of real sockets have it. In ms. */
const OPEN_MS = 10_000
/** A server that is gone without a word is found by the system. In ms. */
const KEEP_ALIVE_MS = 30_000

/** Carries numbered streams without sockets: what is said is the same text, and everything on the way takes time, is cut or lost. */
export function simulatedNumbered(parts: Parts): OpenNumbered {
  return ({from, cursorAt, typeAt}): NumberedTransport => ({
    open(ask, signal) {
      const address = addressOf(from)
      const end = parts.endAt(address)
      if (end === undefined) throw new Error(`no server at ${address}`)
      parts.note(() => `${address} asked ${JSON.stringify(ask)}`)
      const {file} = end.server
      if (file !== undefined) return openFileStream({...parts, ...end, file}, {cursorAt, typeAt}, ask, signal)
      if (from.over === 'file') throw new Error(`no file at ${address}`)
      const stream = end.asks.opens(ask)
      const refusals = new Map<Ending, string | undefined>()
      const way: Way = {...parts, ...end, address, signal, stream, refusals}
      const talk =
        from.over === 'socket'
          ? atSocket(way, resumeLine(from.resume, ask))
          : (reply: Reply): void => {
              const call = callOf(from, ask)
              if (call.ok) atBridge(way, call.value.url, call.value.headers['last-event-id'], reply)
            }
      return asked<NumberedStream, Ending>(parts, OPEN_MS, signal, talk, (code) => ({
        kind: 'notReached',
        detail: code,
      })).then((answer) => {
        if (answer.ok) return answer
        stream.over()
        end.asks.refused(refusals.get(answer.error))
        return answer
      })
    },
  })
}

function addressOf(from: NumberedFrom): string {
  if (from.over === 'sse') return new URL(from.url).pathname
  return from.over === 'socket' ? from.address : from.path
}

interface Way extends Parts, NumberedEnd {
  readonly address: string
  readonly signal: AbortSignal
  readonly stream: Asked
  /** What was answered instead of a stream, and its code. */
  readonly refusals: Map<Ending, string | undefined>
}

type Reply = (answer: Result<NumberedStream, Ending>) => void

/** Whoever listens takes a connection; what it is asked for comes in a line. */
function atSocket(way: Way, line: string): (reply: Reply) => void {
  return (reply) => {
    const {server, schedule, weather} = way
    if (server.door() === 'shut') return reply(err({kind: 'notReached', detail: 'ECONNREFUSED'}))
    const {body, socket, from} = createBody(way, 'lines')
    reply(ok(readLines(chunksOf(way, body, from), (cause) => endOf(cause, way.signal))))
    schedule.after(weather.latency(), 'server', WORLD, () => {
      if (server.door() === 'shut' || server.door() === 'failing') return body.end()
      from.numbering = server.numbering()
      const refused = server.enter(server.door() === 'refusing' ? BAD_CURSOR : readFirstLine(line), socket)
      if (refused === undefined) return
      body.write(`${JSON.stringify(refusalMessage(refused))}\n`)
      body.end()
    })
  }
}

const BAD_CURSOR = err({code: 'bad_cursor', message: 'no cursor is good today'} as const)

function atBridge(way: Way, url: URL, header: unknown, reply: Reply): void {
  const {server, refusals} = way
  const refuse = (status: number, error: {readonly code?: string; readonly message: string}): void => {
    const ending = refusedBy(status, JSON.stringify({error}))
    refusals.set(ending, error.code)
    reply(err(ending))
  }
  if (server.door() === 'shut') return reply(err({kind: 'notReached', detail: 'ECONNREFUSED'}))
  if (server.door() === 'failing') return refuse(503, {message: 'not now'})
  const {body, socket, from} = createBody(way, 'sse')
  const lastEventId = typeof header === 'string' ? header : undefined
  const ask = server.door() === 'refusing' ? BAD_CURSOR : readQuery(url.searchParams, lastEventId)
  const refused = server.enter(ask, socket)
  if (refused !== undefined) return refuse(refused.code === 'bad_cursor' ? 400 : 409, refused)
  reply(ok(readMessages(chunksOf(way, body, from), (cause) => endOf(cause, way.signal))))
}

interface Body {
  readonly body: Line
  readonly socket: NumberedSocket
  /** The store that it is sent from. */
  readonly from: {numbering: Numbering}
}

/** Both ends of what brings a stream. */
function createBody(way: Way, speaks: 'lines' | 'sse'): Body {
  const {schedule, weather, life, signal, server, stream} = way
  let gone = (): void => {}
  const body = createLine({
    ...way,
    joins: true,
    blockEnd: speaks === 'sse' ? '\n\n' : '\n',
    onGone: () => void schedule.after(weather.latency(), 'server', WORLD, () => gone()),
  })
  // A socket whose reader died, or gave up, is found closed after a moment.
  if (!life.alive() || signal.aborted) body.abort()
  heed(life, signal, () => {
    body.abort()
    stream.over()
  })
  const socket: NumberedSocket = {
    speaks,
    write: body.write,
    end: body.end,
    destroy: body.reset,
    onGone(told) {
      gone = told
    },
  }
  return {body, socket, from: {numbering: server.numbering()}}
}

/** The pieces as the engine takes them, one at a time. */
async function* chunksOf(way: Way, body: Line, from: Body['from']): AsyncGenerator<Uint8Array> {
  const {asks, log, schedule, life, address, stream, signal} = way
  const receive = log.open(stream.isLook)
  const closed = way.opened(address, {
    ...body,
    stall() {
      body.stall()
      schedule.after(KEEP_ALIVE_MS, 'bytes', life, body.breakOff)
    },
  })
  let isBegun = false
  try {
    for (;;) {
      if (!signal.aborted) asks.pulls()
      const next = await body.pull()
      if (next.kind === 'closed') return
      if (next.kind !== 'piece') throw Object.assign(new Error('the line broke'), {code: codeOf(next)})
      for (const block of next.blocks) {
        way.note(() => `${address} received ${block.slice(0, 200)}`)
        const {message, isFirst} = receive(block, from.numbering)
        if (message.kind === 'control' && !isBegun) asks.refused(message.code)
        if (message.kind === 'numbered' && isFirst) asks.brought(message.at)
        isBegun ||= message.kind === 'numbered'
      }
      yield next.bytes
    }
  } finally {
    closed()
    body.abort()
    stream.over()
  }
}

function codeOf(end: object): string {
  return 'code' in end ? String(end.code) : 'ECONNRESET'
}
