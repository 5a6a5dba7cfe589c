import type {IncomingMessage} from 'node:http'
import {isJsonObject, parseJson} from '../../../shared/base/json.ts'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {refusalIn} from '../../../shared/frames/numbered-message.ts'
import type {NumberedFrom} from '../../../shared/source/numbered.ts'
import {oneLine} from '../../../shared/source/one-line.ts'
import {type ResumeAsk, resumeHeader, resumeQuery} from '../../../shared/source/resume-request.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {Clock} from '../clock.ts'
import {type HttpAgents, readBeginning, sendCall} from '../switch/http-request.ts'
import type {StreamEnd} from '../switch/transport.ts'
import {createSseReader} from '../wire/sse-reader.ts'
import {messageOfEvent} from './message-of-event.ts'
import {endOf} from './stream-end.ts'
import type {NumberedStream, NumberedTransport} from './transport.ts'

type OverSse = Extract<NumberedFrom, {over: 'sse'}>

const HEAD_MS = 10_000
/** Enough for any refusal; a page of a proxy is cut. */
const REFUSAL_LIMITS = {bytes: 16 * 1024, ms: 2_000}

/** Server-sent events, asked for by parameters of the address or by `Last-Event-ID`. */
export function sseTransport(from: OverSse, agents: HttpAgents, clock: Clock): NumberedTransport {
  return {
    async open(ask, signal) {
      const call = callOf(from, ask)
      if (!call.ok) return call
      const answer = await sendCall({agents, clock}, call.value, signal)
      if (!answer.ok) return err({kind: 'notReached', detail: answer.error.code})
      if (!isEventStream(answer.value)) return err(await refusalOf(answer.value, clock))
      return ok(readBody(answer.value, signal))
    },
  }
}

type Call = Parameters<typeof sendCall>[1]

/** What is sent to ask for a stream; nothing of it where the address is none. */
export function callOf({url, query, lastEventId}: OverSse, ask: ResumeAsk): Result<Call, Ending> {
  if (!URL.canParse(url)) return err({kind: 'notReached', detail: 'ERR_INVALID_URL'})
  const asked = new URL(url)
  for (const [name, value] of resumeQuery(query, ask)) asked.searchParams.append(name, value)
  const header = resumeHeader(lastEventId, ask)
  const headers = {
    accept: 'text/event-stream',
    'cache-control': 'no-cache',
    ...(header === undefined ? {} : {'last-event-id': inBytes(header)}),
  }
  return ok({method: 'GET', url: asked, headers, headMs: HEAD_MS})
}

/** Its UTF-8, which is how the standard sends an id: Node takes a header's characters for bytes, and refuses those above them. */
function inBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** As it is: an encoded body would look like a stream that says nothing. */
function isEventStream({statusCode, headers}: IncomingMessage): boolean {
  const encoded = !/^\s*(?:identity\s*)?$/i.test(headers['content-encoding'] ?? '')
  return statusCode === 200 && !encoded && /^\s*text\/event-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '')
}

/** What a server says to a question that is wrong stays wrong; that it cannot serve now may pass. */
async function refusalOf(response: IncomingMessage, clock: Clock): Promise<Ending> {
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) {
    response.destroy() // what it would bring may never end, and is not ours to read
    return {
      kind: 'notReached',
      detail: `${status}, and no event stream: ${response.headers['content-type'] ?? 'no type'}`,
    }
  }
  return refusedBy(status, await readBeginning(response, REFUSAL_LIMITS, clock))
}

/** An answer that is no stream. */
export function refusedBy(status: number, body: string): Ending {
  const parsed = parseJson(body)
  const said = isJsonObject(parsed) ? refusalIn(parsed) : undefined
  const detail = `${status} ${oneLine(said?.message ?? body)}`.trim()
  if (said?.code === 'future_cursor') return {kind: 'futureCursor', detail}
  const passes = status === 404 || status === 408 || status === 429 || status < 400 || status >= 500
  return {kind: passes ? 'notReached' : 'resumeRefused', detail}
}

async function* readBody(response: IncomingMessage, signal: AbortSignal): NumberedStream {
  try {
    return yield* readMessages(response as AsyncIterable<Buffer>, (cause) => endOf(cause, signal))
  } finally {
    response.destroy()
  }
}

/** Events of a body, whoever brings its pieces. */
export async function* readMessages(
  chunks: AsyncIterable<Uint8Array>,
  end: (cause: unknown) => StreamEnd,
): NumberedStream {
  const reader = createSseReader()
  try {
    for await (const chunk of chunks) yield reader.feed(chunk).map(messageOfEvent)
    return end(undefined)
  } catch (cause) {
    return end(cause)
  }
}
