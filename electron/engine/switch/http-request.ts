import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import {Agent as HttpsAgent, request as requestHttps} from 'node:https'
import {isJsonObject, member} from '../../../shared/base/json.ts'
import {messageOf} from '../../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import type {Refusal} from '../../../shared/source/refusal.ts'
import type {Clock} from '../clock.ts'

/** Sockets that stay open between requests, so that a beat every 2 s costs no handshake. Idle ones keep no process alive. */
export interface HttpAgents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

export function createHttpAgents(): HttpAgents {
  return {http: new HttpAgent({keepAlive: true}), https: new HttpsAgent({keepAlive: true})}
}

export interface HttpCall {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: OutgoingHttpHeaders
  readonly body?: string
  /** Until the answer's head is there. In ms. */
  readonly headMs: number
}

/** What a call needs besides itself. */
export interface Caller {
  readonly agents: HttpAgents
  readonly clock: Clock
}

type NoAnswer = Extract<Refusal, {kind: 'network'}>

/**
 * Sends one request and gives the answer's head, of any status; a redirect is an answer like any other. The signal ends
 * the request and, later, the body. A kept socket that the server closed meanwhile is no failure of the server: such a
 * request is sent once more.
 */
export async function sendCall(
  caller: Caller,
  call: HttpCall,
  signal: AbortSignal,
): Promise<Result<IncomingMessage, NoAnswer>> {
  const first = await sendOnce(caller, call, signal)
  return !first.ok && first.error.stale && !signal.aborted ? sendOnce(caller, call, signal) : first
}

async function sendOnce(
  {agents, clock}: Caller,
  {method, url, headers, body, headMs}: HttpCall,
  signal: AbortSignal,
): Promise<Result<IncomingMessage, NoAnswer & {readonly stale: boolean}>> {
  if (signal.aborted) return err({...ABORTED, stale: false})
  const secure = url.protocol === 'https:'
  const answered = new AbortController()
  let request: ClientRequest
  try {
    const send = secure ? requestHttps : requestHttp
    request = send(url, {method, headers, agent: secure ? agents.https : agents.http})
  } catch (cause) {
    // A character no header may hold: the request never left.
    return err({...networkRefusal(cause), stale: false})
  }
  endWith(request, signal)
  const answer = new Promise<Result<IncomingMessage, NoAnswer & {readonly stale: boolean}>>((resolve) => {
    request.once('response', (response) => {
      // Without a listener, a socket that breaks while nobody reads would end the process.
      response.on('error', ignore)
      // A body that only the end of its socket ends would otherwise look complete when the socket breaks.
      request.on('error', (cause) => response.destroy(cause))
      resolve(ok(response))
    })
    // An answer to a question nobody asked. Where nobody listens, Node ends the request without a word.
    request.once('upgrade', (response, socket) => {
      socket.destroy()
      resolve(ok(response))
    })
    request.on('error', (cause) => {
      const refusal = signal.aborted ? ABORTED : networkRefusal(cause)
      resolve(err({...refusal, stale: request.reusedSocket && refusal.code === 'ECONNRESET'}))
    })
    request.once('close', () => resolve(err({...UNANSWERED, stale: false})))
  })
  void clock.wait(headMs, answered.signal).then(() => {
    if (!answered.signal.aborted) request.destroy(new DeadlineError(headMs))
  })
  request.end(body)
  const result = await answer
  answered.abort()
  return result
}

/**
 * By hand, and not by the request's own `signal` option: Node hands that on to the socket it opens, which then breaks with
 * the signal of its first request, long after it was kept for others. And without an error of its own: a socket whose answer
 * is here in full and not read yet has nobody listening, so an error on it would end the process.
 */
function endWith(request: ClientRequest, signal: AbortSignal): void {
  const end = (): void => void request.destroy()
  signal.addEventListener('abort', end, {once: true})
  request.once('close', () => signal.removeEventListener('abort', end))
}

const ABORTED: NoAnswer = {kind: 'network', code: 'ABORTED', detail: 'given up by this side'}

const UNANSWERED: NoAnswer = {kind: 'network', code: 'ECONNRESET', detail: 'the connection ended without an answer'}

class DeadlineError extends Error {
  readonly code = 'ETIMEDOUT'
  constructor(ms: number) {
    super(`no answer within ${ms} ms`)
  }
}

function ignore(): void {}

export function networkRefusal(cause: unknown): NoAnswer {
  return {kind: 'network', code: errorCode(cause), detail: messageOf(cause)}
}

/** The system's word, such as ECONNRESET; where several addresses were tried and the whole has none, the first one's. */
export function errorCode(cause: unknown): string {
  if (cause instanceof AggregateError && !Object.hasOwn(cause, 'code')) return errorCode(cause.errors[0])
  const code = cause instanceof Error && isJsonObject(cause) ? member(cause, 'code') : undefined
  return typeof code === 'string' ? code : 'UNKNOWN'
}

/** The beginning of a body: what came within so many bytes and ms. The rest is not waited for, and its socket not used again. */
export async function readBeginning(
  response: IncomingMessage,
  limits: {readonly bytes: number; readonly ms: number},
  clock: Clock,
): Promise<string> {
  const pieces: Buffer[] = []
  const done = new AbortController()
  void clock.wait(limits.ms, done.signal).then(() => {
    if (!done.signal.aborted) response.destroy()
  })
  let size = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece)
      size += piece.length
      if (size >= limits.bytes) break // leaves the loop, which destroys the response
    }
  } catch {
    // A body that breaks off still says what it said until there.
  }
  done.abort()
  return Buffer.concat(pieces).subarray(0, limits.bytes).toString('utf8')
}
