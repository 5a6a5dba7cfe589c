import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {readBeatAsk} from './beat-ask.ts'
import type {BridgeTiming} from './bridge-state.ts'
import {type Carrier, createCarrier} from './carrier.ts'
import type {DemoClock} from './demo-clock.ts'
import {readOpenAsk} from './open-ask.ts'
import {BAD_TOKEN, json, NO_AUTHORIZATION, NOT_FOUND, type Reply} from './replies.ts'
import type {Scenario} from './scenario.ts'
import {createStage, type Stage} from './stage.ts'

export interface DemoServerSetup {
  readonly scenario: Scenario
  readonly clock: DemoClock
  /** How many times faster than written the scenario plays; 1 where not said. */
  readonly speed?: number
  /** The protocol's own times; a real server's where not said. */
  readonly timing?: BridgeTiming
  /** 0, where not said: any that is free. */
  readonly port?: number
  /** The agent's id; `release-bot` where not said. */
  readonly agentId?: string
  /** Connection ids that another agent of the server holds. */
  readonly isForeign?: (connectionId: string) => boolean
}

export interface DemoServer {
  readonly url: string
  readonly agentId: string
  readonly token: string
  readonly close: () => Promise<void>
}

/** A Switch bridge with one agent, on the loopback interface only, playing a scenario to whoever attaches. */
export async function startDemoServer(setup: DemoServerSetup): Promise<DemoServer> {
  const {clock, port = 0, agentId = 'release-bot'} = setup
  const token = clock.uuid()
  const stage = createStage({
    ...setup,
    agentId,
    run: clock.uuid().slice(0, 8),
    firstGeneration: Math.floor(clock.random() * 2 ** 32),
    epochOffset: clock.now() - clock.monotonic(),
  })
  const carrier = createCarrier(stage, clock)
  const server = createServer((request, response) => void answer({stage, carrier, clock, token}, request, response))
  await listen(server, port)
  carrier.wake()
  return {
    // An address of a listening TCP server is never a pipe's name.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    agentId,
    token,
    close: () => {
      carrier.stop()
      return shut(server)
    },
  }
}

interface Served {
  readonly stage: Stage
  readonly carrier: Carrier
  readonly clock: DemoClock
  readonly token: string
}

const OPEN_PATH = /^\/agents\/[^/]+\/events$/
const BEAT_PATH = /^\/agents\/[^/]+\/connection\/beat$/

async function answer(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', ignore)
  const said = await route(served, request, response)
  if (said !== undefined) reply(response, said)
}

/** `undefined`: the answer is a stream, or never comes. */
async function route(served: Served, request: IncomingMessage, response: ServerResponse): Promise<Reply | undefined> {
  const {pathname, searchParams} = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (request.method === 'GET' && pathname === '/health') return json(200, {status: 'ok'})
  const unauthorized = refuseToken(request.headers.authorization, served.token)
  if (unauthorized !== undefined) return unauthorized
  if (request.method === 'POST' && BEAT_PATH.test(pathname)) return answerBeat(served, request)
  if (request.method === 'GET' && OPEN_PATH.test(pathname)) return answerOpen(served, request, response, searchParams)
  return NOT_FOUND
}

/** The token alone decides who one is; the path's agent id is not compared with it. */
function refuseToken(authorization: string | undefined, token: string): Reply | undefined {
  if (authorization?.startsWith('Bearer ') !== true) return NO_AUTHORIZATION
  return authorization === `Bearer ${token}` ? undefined : BAD_TOKEN
}

async function answerBeat({stage, carrier, clock}: Served, request: IncomingMessage): Promise<Reply | undefined> {
  const ask = readBeatAsk(await readBody(request))
  if (!ask.ok) return ask.error
  const said = stage.beat(clock.monotonic(), ask.value)
  carrier.wake()
  return said
}

function answerOpen(
  {stage, carrier, clock}: Served,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
): Reply | undefined {
  // Without this the path is the older long poll, with nothing to hand out here.
  if (request.headers.accept?.includes('text/event-stream') !== true) return {status: 204, body: ''}
  const lastEventId = request.headers['last-event-id']
  const ask = readOpenAsk(query, typeof lastEventId === 'string' ? lastEventId : undefined)
  if (!ask.ok) return ask.error
  const stream = carrier.add(response)
  const opened = stage.open(clock.monotonic(), stream, ask.value)
  if (!opened.ok) {
    carrier.drop(stream)
    return opened.error
  }
  carrier.perform(opened.value)
  return undefined
}

function reply(response: ServerResponse, {status, contentType, body}: Reply): void {
  response.writeHead(status, {
    ...(contentType === undefined ? {} : {'content-type': contentType}),
    ...(status === 204 ? {} : {'content-length': Buffer.byteLength(body)}),
  })
  response.end(body)
}

/** In bytes. A heartbeat is a hundred. */
const BODY_CAP = 64 * 1024

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  try {
    for await (const piece of request.setEncoding('utf8') as AsyncIterable<string>) {
      body += piece
      if (body.length > BODY_CAP) return ''
    }
  } catch {
    // The client went away in the middle: what it said is no JSON then, and nobody hears the answer.
  }
  return body
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function ignore(): void {}
