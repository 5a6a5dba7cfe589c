import {isJsonObject, type JsonObject, jsonText, member, parseJson, textOf} from '../base/json.ts'
import {oneLine} from './one-line.ts'
import type {Refusal} from './refusal.ts'

/** An HTTP answer that was no success, as far as it was read. */
export interface Answer {
  readonly status: number
  /** The header as sent; absent on the plain-text 401. */
  readonly contentType?: string
  /** Where a redirect points. It is never followed: the token must not travel. */
  readonly location?: string
  /** The body, or its beginning. */
  readonly body: string
}

/** What a body says in its own words, and the parts of it that decide. */
interface Said {
  readonly detail: string
  readonly code?: string
  readonly contract?: string
  readonly remedy?: string
}

/** Which refusal an answer is: by its status, a 409 by its code or else by how its prose reads (Switch note, section 9). */
export function readRefusal(answer: Answer): Refusal {
  const said = readBody(answer)
  const {detail} = said
  switch (answer.status) {
    case 400:
      return {kind: 'badRequest', detail}
    case 401:
    case 403:
      return {kind: 'credentials', status: answer.status, detail}
    case 404:
      return {kind: 'notFound', detail}
    case 409:
      return readConflict(said)
    case 410:
      return {kind: 'transportRemoved', detail}
    case 422:
      return {kind: 'invalidParameter', detail}
    case 429:
      return {kind: 'unavailable', status: 429, detail}
    default:
      return readOtherStatus(answer, detail)
  }
}

function readConflict({detail, code, contract, remedy}: Said): Refusal {
  if (code === 'taken_over') return {kind: 'takenOver', detail}
  if (contract !== undefined) return {kind: 'protocolMismatch', detail, ...(remedy === undefined ? {} : {remedy})}
  if (code !== undefined) return {kind: 'conflict', detail}
  if (/\balready has \d+ open connections\b/.test(detail)) return {kind: 'connectionCap', detail}
  if (/^connection .* is not open\b/.test(detail)) return {kind: 'foreignConnectionId', detail}
  return {kind: 'conflict', detail}
}

function readOtherStatus({status, location}: Answer, detail: string): Refusal {
  if (status >= 500) return {kind: 'unavailable', status, detail}
  if (status >= 300 && status < 400 && location !== undefined)
    return {kind: 'unexpected', status, detail: oneLine(`redirects to ${location}`)}
  return {kind: 'unexpected', status, detail}
}

function readBody({contentType, body}: Answer): Said {
  const parsed = parseJson(body)
  if (isJsonObject(parsed)) return readDetail(Object.hasOwn(parsed, 'detail') ? parsed['detail'] : parsed)
  if (contentType?.startsWith('text/html') || /^\s*</.test(body)) return {detail: oneLine(titleOf(body))}
  return {detail: oneLine(typeof parsed === 'string' ? parsed : body)}
}

function readDetail(detail: unknown): Said {
  if (typeof detail === 'string') return {detail: oneLine(detail)}
  if (Array.isArray(detail)) return {detail: oneLine(detail.map(readFinding).join('; '))}
  return isJsonObject(detail) ? readDetailObject(detail) : {detail: oneLine(jsonText(detail))}
}

function readDetailObject(detail: JsonObject): Said {
  const code = textOf(detail, 'code')
  const contract = textOf(detail, 'contract')
  const remedy = textOf(detail, 'remedy')
  return {
    detail: oneLine(textOf(detail, 'message') ?? code ?? jsonText(detail)),
    ...(code === undefined ? {} : {code}),
    ...(contract === undefined ? {} : {contract}),
    ...(remedy === undefined ? {} : {remedy: oneLine(remedy)}),
  }
}

/** One validation error of a 422: `query.protocol: Input should be a valid integer`. */
function readFinding(finding: unknown): string {
  if (!isJsonObject(finding)) return jsonText(finding)
  const place = member(finding, 'loc')
  const message = textOf(finding, 'msg') ?? textOf(finding, 'type') ?? jsonText(finding)
  return Array.isArray(place) && place.length > 0 ? `${place.map(stepText).join('.')}: ${message}` : message
}

/** A name or a number. A server may put anything else there, also what cannot be made a text of. */
function stepText(step: unknown): string {
  return typeof step === 'string' ? step : jsonText(step)
}

/** Of a page made for a browser, only what it calls itself. */
function titleOf(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1] ?? ''
  return title.trim() === '' ? 'an HTML page' : `an HTML page: ${title}`
}
