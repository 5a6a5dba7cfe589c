import {once} from 'node:events'
import {Agent, createServer, type IncomingMessage, request, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {isJsonObject, type JsonObject, parseJson} from '../../../shared/base/json.ts'

/** An open as the server saw it, and everything that was written to its stream. */
export interface SeenOpen {
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** Absent until it is answered. */
  status?: number
  /** What went to the client, up to where its socket was lost. */
  readonly pieces: Buffer[]
  /** The stream is over, by whichever side. */
  over: boolean
}

/** A heartbeat as the server saw it. */
export interface SeenBeat {
  readonly body: JsonObject
  readonly headers: IncomingMessage['headers']
  status?: number
}

/** What happened, in its order. `introduced`: the first bytes of a stream went out. */
export type TapEvent =
  | {readonly kind: 'open'; readonly open: SeenOpen}
  | {readonly kind: 'introduced'; readonly open: SeenOpen}
  | {readonly kind: 'beat'; readonly beat: SeenBeat}

/** An answer in the server's place. */
export interface StandIn {
  readonly status: number
  readonly contentType?: string
  readonly body?: string | Uint8Array
  /** After the body: the stream stays open, or the socket breaks. A clean end where not said. */
  readonly afterwards?: 'stay' | 'reset'
}

export type Asked = {readonly kind: 'open'; readonly n: number} | {readonly kind: 'beat'; readonly n: number}

export type Answer = (asked: Asked) => StandIn | undefined | Promise<StandIn>

export interface Wiretap {
  readonly url: string
  readonly opens: readonly SeenOpen[]
  readonly beats: readonly SeenBeat[]
  readonly events: readonly TapEvent[]
  /** From now on: whatever it answers is said in the server's place; `undefined` lets the request through. `n` counts from 1. */
  readonly standIn: (answer: Answer) => void
  /** Breaks every open stream's socket. */
  readonly breakStreams: () => void
  /** From now on no byte passes in either direction, and no socket ends: half-open. */
  readonly freeze: () => void
  /** New requests pass again; what was frozen stays so. */
  readonly thaw: () => void
  /** Requests not answered yet. */
  readonly unanswered: () => number
  readonly close: () => Promise<void>
}

interface Taps {
  readonly upstream: URL
  readonly agent: Agent
  readonly opens: SeenOpen[]
  readonly beats: SeenBeat[]
  readonly events: TapEvent[]
  readonly streams: Map<SeenOpen, ServerResponse>
  answer: Answer
  frozen: boolean
  /** Streams opened before this many do not move any more. */
  frozenUpTo: number
  unanswered: number
}

/**
 * Stands between a client and a bridge: writes down what the bridge is asked and what the client is told, passes every byte,
 * and breaks what a test wants broken.
 */
export async function startWiretap(upstream: string): Promise<Wiretap> {
  const taps: Taps = {
    upstream: new URL(upstream),
    agent: new Agent({keepAlive: true}),
    opens: [],
    beats: [],
    events: [],
    streams: new Map(),
    answer: () => undefined,
    frozen: false,
    frozenUpTo: 0,
    unanswered: 0,
  }
  const server = createServer((asking, response) => void take(taps, asking, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server's address is no pipe's name
    opens: taps.opens,
    beats: taps.beats,
    events: taps.events,
    standIn: (answer) => {
      taps.answer = answer
    },
    breakStreams: () => {
      for (const response of taps.streams.values()) response.socket?.resetAndDestroy()
    },
    freeze: () => {
      taps.frozen = true
      taps.frozenUpTo = taps.opens.length
    },
    thaw: () => {
      taps.frozen = false
    },
    unanswered: () => taps.unanswered,
    async close() {
      taps.agent.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function take(taps: Taps, asking: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', ignore)
  asking.on('error', ignore)
  const body = await textOf(asking)
  const {pathname, searchParams} = new URL(asking.url ?? '/', taps.upstream)
  if (taps.frozen) return
  taps.unanswered += 1
  response.once('close', () => (taps.unanswered -= response.headersSent ? 0 : 1))
  if (pathname.endsWith('/events')) await takeOpen(taps, asking, response, searchParams)
  else await takeBeat(taps, asking, response, body)
}

async function takeOpen(
  taps: Taps,
  asking: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): Promise<void> {
  const open: SeenOpen = {query, headers: asking.headers, pieces: [], over: false}
  taps.opens.push(open)
  taps.events.push({kind: 'open', open})
  response.once('close', () => {
    open.over = true
    taps.streams.delete(open)
  })
  const n = taps.opens.length
  const said = await taps.answer({kind: 'open', n})
  const answered = (status: number): void => {
    open.status = status
    taps.unanswered -= 1
    if (status === 200) taps.streams.set(open, response)
  }
  const wrote = (piece: Buffer): void => {
    if (open.pieces.length === 0) taps.events.push({kind: 'introduced', open})
    open.pieces.push(piece)
  }
  if (said === undefined) pass(taps, asking, response, {answered, wrote, n})
  else speak(response, said, answered, wrote)
}

async function takeBeat(taps: Taps, asking: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
  const parsed = parseJson(text)
  const beat: SeenBeat = {body: isJsonObject(parsed) ? parsed : {unreadable: text}, headers: asking.headers}
  taps.beats.push(beat)
  taps.events.push({kind: 'beat', beat})
  const answered = (status: number): void => {
    beat.status = status
    taps.unanswered -= 1
  }
  const said = await taps.answer({kind: 'beat', n: taps.beats.length})
  if (said === undefined) pass(taps, asking, response, {answered, wrote: ignore, n: 0, text})
  else speak(response, said, answered, ignore)
}

function speak(
  response: ServerResponse,
  {status, contentType, body = '', afterwards}: StandIn,
  answered: (status: number) => void,
  wrote: (piece: Buffer) => void,
): void {
  if (response.destroyed) return
  answered(status)
  response.writeHead(status, contentType === undefined ? {} : {'content-type': contentType})
  response.flushHeaders()
  const bytes = Buffer.from(body)
  if (bytes.length > 0) wrote(bytes)
  if (afterwards === undefined) response.end(bytes)
  else response.write(bytes, () => afterwards === 'reset' && response.socket?.resetAndDestroy())
}

interface Passing {
  readonly answered: (status: number) => void
  readonly wrote: (piece: Buffer) => void
  /** How manieth open it is; 0 for what is none. */
  readonly n: number
  readonly text?: string
}

function pass(taps: Taps, asking: IncomingMessage, response: ServerResponse, passing: Passing): void {
  const {answered, wrote, n, text = ''} = passing
  const isStill = (): boolean => n > 0 && taps.frozenUpTo >= n
  const {method, headers} = asking
  const onward = request(new URL(asking.url ?? '/', taps.upstream), {method, headers, agent: taps.agent})
  const broken = (): void => {
    if (!isStill()) response.socket?.resetAndDestroy()
  }
  onward.on('error', broken)
  onward.once('response', (told) => {
    if (response.destroyed || (taps.frozen && n === 0)) return
    answered(told.statusCode ?? 0)
    response.writeHead(told.statusCode ?? 0, told.headers)
    response.flushHeaders()
    told.on('error', broken)
    told.on('data', (piece: Buffer) => {
      if (isStill() || response.destroyed) return
      wrote(piece)
      if (response.write(piece)) return
      told.pause()
      response.once('drain', () => told.resume())
    })
    told.once('end', () => isStill() || response.end())
  })
  response.once('close', () => onward.destroy())
  onward.end(text)
}

async function textOf(asking: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const piece of asking.setEncoding('utf8') as AsyncIterable<string>) text += piece
  } catch {
    // The client went away in the middle; nobody hears the answer.
  }
  return text
}

function ignore(): void {}

/** The bytes that one stream brought to the client. */
export function bytesOf({pieces}: SeenOpen): Buffer {
  return Buffer.concat(pieces)
}
