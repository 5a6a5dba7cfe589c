import type {IncomingMessage} from 'node:http'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import type {Arrival} from '../../../shared/frames/raw-frame.ts'
import {readRefusal} from '../../../shared/source/read-refusal.ts'
import type {Refusal} from '../../../shared/source/refusal.ts'
import {type Clock, systemClock} from '../clock.ts'
import {createSseReader, FRAME_CAP_BYTES} from '../wire/sse-reader.ts'
import {beatBody, beatUrl, openHeaders, openUrl} from './bridge-url.ts'
import {type Caller, createHttpAgents, errorCode, type HttpAgents, readBeginning, sendCall} from './http-request.ts'
import type {BeatRequest, OpenRequest, OpenStream, StreamEnd, SwitchTarget, SwitchTransport} from './transport.ts'

export interface HttpTransportOptions {
  readonly clock?: Clock
  /** Shared between sources, so that many of them at one bridge share its sockets. */
  readonly agents?: HttpAgents
  /** In bytes: a longer frame is reported and dropped. */
  readonly frameCapBytes?: number
  /** Until an open is answered. In ms. */
  readonly openMs?: number
  /** Until a beat is answered. In ms. */
  readonly beatMs?: number
}

const OPEN_MS = 10_000
const BEAT_MS = 4_000
/** Enough for any refusal of a real bridge; a page of a proxy is cut. */
const REFUSAL_LIMITS = {bytes: 16 * 1024, ms: 2_000}

/** A Switch stream as server-sent events over HTTP, with heartbeats by POST. */
export function httpTransport(target: SwitchTarget, options: HttpTransportOptions = {}): SwitchTransport {
  const clock = options.clock ?? systemClock()
  const caller: Caller = {agents: options.agents ?? createHttpAgents(), clock}
  const capBytes = options.frameCapBytes ?? FRAME_CAP_BYTES
  const authorization = `Bearer ${target.token}`
  const refuse = async (response: IncomingMessage) => err(await refusalOf(response, target.token, clock))

  async function open(request: OpenRequest, signal: AbortSignal): Promise<Result<OpenStream, Refusal>> {
    const url = openUrl(target, request)
    if (!url.ok) return err(badUrl(url.error))
    const headers = {...openHeaders(request), authorization}
    const call = {method: 'GET', url: url.value, headers, headMs: options.openMs ?? OPEN_MS} as const
    const answer = await sendCall(caller, call, signal)
    if (!answer.ok) return err(withoutToken(answer.error, target.token))
    if (!isEventStream(answer.value)) return refuse(answer.value)
    return ok({batches: readBatches(answer.value, capBytes, signal)})
  }

  async function beat(request: BeatRequest, signal: AbortSignal): Promise<Result<undefined, Refusal>> {
    const url = beatUrl(target)
    if (!url.ok) return err(badUrl(url.error))
    const body = beatBody(request)
    const headers = {
      authorization,
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const call = {method: 'POST', url: url.value, headers, body, headMs: options.beatMs ?? BEAT_MS} as const
    const answer = await sendCall(caller, call, signal)
    if (!answer.ok) return err(withoutToken(answer.error, target.token))
    if (answer.value.statusCode !== 200) return refuse(answer.value)
    // What it says is not for us (its cursor may be ahead of ours); it is read so that the socket can serve the next beat.
    void readBeginning(answer.value, REFUSAL_LIMITS, clock)
    return ok(undefined)
  }

  return {open, beat}
}

/** In plain bytes: an encoded body was not asked for, and read as it is it would look like a stream that says nothing. */
function isEventStream(response: IncomingMessage): boolean {
  const type = response.headers['content-type'] ?? ''
  return response.statusCode === 200 && /^\s*text\/event-stream\s*(?:;|$)/i.test(type) && !isEncoded(response)
}

function isEncoded({headers}: IncomingMessage): boolean {
  return !/^\s*(?:identity\s*)?$/i.test(headers['content-encoding'] ?? '')
}

/** Reads only when pulled: what is not pulled stays in the socket, and at last in the server. */
async function* readBatches(
  response: IncomingMessage,
  capBytes: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Arrival[], StreamEnd, undefined> {
  const reader = createSseReader({capBytes})
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) yield reader.feed(chunk)
    const last = reader.end()
    if (last.length > 0) yield last
    return {kind: 'closed'}
  } catch (cause) {
    return {kind: 'dropped', code: signal.aborted ? 'ABORTED' : errorCode(cause)}
  } finally {
    response.destroy()
  }
}

async function refusalOf(response: IncomingMessage, token: string, clock: Clock): Promise<Refusal> {
  const status = response.statusCode ?? 0
  const contentType = response.headers['content-type']
  const location = response.headers.location
  if (status >= 200 && status < 300) {
    // A success of another kind may never end, and what it would bring is not ours to read.
    response.destroy()
    const encoding = isEncoded(response) ? `, encoded as ${response.headers['content-encoding']}` : ''
    return readRefusal({status, body: `another kind of answer: ${contentType ?? 'no content type'}${encoding}`})
  }
  const body = await readBeginning(response, REFUSAL_LIMITS, clock)
  return readRefusal({
    status,
    body: hideToken(body, token),
    ...(contentType === undefined ? {} : {contentType}),
    ...(location === undefined ? {} : {location: hideToken(location, token)}),
  })
}

function badUrl(detail: string): Refusal {
  return {kind: 'network', code: 'ERR_INVALID_URL', detail}
}

function withoutToken<R extends {readonly detail: string}>(refusal: R, token: string): R {
  return {...refusal, detail: hideToken(refusal.detail, token)}
}

/** A shorter one is no secret, and hiding it would only garble what was said. */
const SECRET_LENGTH = 6

/** A server may echo what it was sent. The token is a full agent credential, so no form of it gets into a message. */
function hideToken(text: string, token: string): string {
  if (token.length < SECRET_LENGTH) return text
  const forms = [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token.toWellFormed())]
  return text.replaceAll(new RegExp(forms.map(literally).join('|'), 'g'), '(token)')
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
