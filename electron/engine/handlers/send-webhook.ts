import {request as httpRequest, type IncomingMessage} from 'node:http'
import {request as httpsRequest} from 'node:https'
import {messageOf} from '../../../shared/base/message-of.ts'
import type {HandlerEnd} from './handler-callbacks.ts'
import {interrupted} from './interrupted.ts'
import {createOutputTail, type OutputTail} from './output-tail.ts'

export interface WebhookRun {
  readonly url: string
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

/** Of an answer no more is read, in bytes: its status has said what there is to say. */
const ANSWER_CAP = 1024 * 1024

/**
 * One POST. Only a whole answer with a status of 200 to 299 is a success. A redirect is none and is not followed: what is
 * signed goes to the address that was named, and to no other.
 *
 * @param until - aborted with the reason `deadline`, or because the source stops or the engine closes
 */
export function sendWebhook({url, body, headers, secrets}: WebhookRun, until: AbortSignal): Promise<HandlerEnd> {
  const tail = createOutputTail(secrets)
  return new Promise((resolve) => {
    let answer: IncomingMessage | undefined
    const end = (state: HandlerEnd['state'], error?: string): void => {
      const status = answer?.statusCode
      resolve({
        state,
        ...(error === undefined ? {} : {error}),
        ...(status === undefined ? {} : {status, outputBytes: tail.bytes()}),
        ...(tail.bytes() === 0 ? {} : {output: tail.text()}),
      })
    }
    const failed = (cause: unknown): void => {
      if (!until.aborted) return end('rejected', brokenWords(cause, answer))
      const {state, error} = interrupted(until)
      end(state, state === 'timedOut' ? lateWords(answer) : error)
    }
    const options = {method: 'POST', agent: false, signal: until} as const
    const lengths = {...headers, 'Content-Length': String(body.length), Connection: 'close'}
    try {
      const send = url.startsWith('https:') ? httpsRequest : httpRequest
      const request = send(url, {...options, headers: lengths}, (response) => {
        answer = response
        readAnswer(response, tail, failed, () => judge(response, end))
      })
      request.on('error', failed)
      request.on('close', () => failed(new Error('the connection was closed without an answer'))) // the first word counts
      request.end(body)
    } catch (cause) {
      failed(cause)
    }
  })
}

function readAnswer(
  response: IncomingMessage,
  tail: OutputTail,
  failed: (cause: unknown) => void,
  whole: () => void,
): void {
  response.on('error', failed)
  response.on('data', (chunk: Uint8Array) => {
    tail.push(chunk)
    if (tail.bytes() <= ANSWER_CAP) return
    whole()
    response.destroy()
  })
  response.on('end', () => (response.complete ? whole() : failed(new Error('the answer broke off'))))
  response.on('close', () => failed(new Error('the answer broke off')))
}

function judge(
  {statusCode = 0, headers}: IncomingMessage,
  end: (state: HandlerEnd['state'], error?: string) => void,
): void {
  if (statusCode >= 200 && statusCode < 300) end('resolved')
  else if (statusCode >= 300 && statusCode < 400)
    end('rejected', `it answered ${statusCode}, to ${headers.location ?? 'nowhere'}: redirects are not followed`)
  else end('rejected', `it answered ${statusCode}`)
}

/** That an answer had begun says that the request arrived, and nothing about what came of it. */
function lateWords(answer: IncomingMessage | undefined): string {
  if (answer === undefined) return 'there was no answer before the deadline'
  return `it began to answer ${answer.statusCode}, and did not end before the deadline`
}

function brokenWords(cause: unknown, answer: IncomingMessage | undefined): string {
  const code = cause instanceof Error && 'code' in cause ? `${String(cause.code)}: ` : ''
  const begun = answer === undefined ? '' : `it began to answer ${answer.statusCode}; `
  return `${begun}${code}${messageOf(cause)}`
}
