import {isJsonObject, type JsonObject, member, parseJson, textOf} from '../../../shared/base/json.ts'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {type NumberedCursor, readCursor} from './cursor.ts'

/** What becomes of a reader whose cursor is ahead of everything known: `all` is for a server that trusts no cursor. */
export type FuturePolicy = 'fail' | 'wait' | 'all'

export interface ResumeAsk {
  /** `undefined`: everything retained. `head`: what comes from now on. */
  readonly from: NumberedCursor | 'head' | undefined
  /** The server's own where not said. */
  readonly future: FuturePolicy | undefined
}

/** Why a reader is sent away. */
export interface Refusal {
  readonly code: 'bad_cursor' | 'future_cursor'
  readonly message: string
  /** Where the server stands. */
  readonly head?: NumberedCursor
}

/** The first line of a socket: `{"resume":{"generation":5,"sequence":12},"future":"wait"}`. Blank, or `null`: everything. */
export function readFirstLine(line: string): Result<ResumeAsk, Refusal> {
  if (line.trim() === '') return ok({from: undefined, future: undefined})
  const ask = parseJson(line)
  if (!isJsonObject(ask)) return err(badCursor(line))
  return readAsk(member(ask, 'resume'), textOf(ask, 'future'))
}

/** `?cursor={…}`, `?generation=5&sequence=12` or `?from=head`, and `&future=wait`. A `Last-Event-ID` counts before them. */
export function readQuery(query: URLSearchParams, lastEventId: string | undefined): Result<ResumeAsk, Refusal> {
  const future = query.get('future') ?? undefined
  if (lastEventId !== undefined && lastEventId !== '') return readAsk(readId(lastEventId), future)
  const cursor = query.get('cursor')
  if (cursor !== null) return readAsk(readId(cursor), future)
  if (query.get('from') === 'head') return readAsk('head', future)
  const [generation, sequence] = [query.get('generation'), query.get('sequence')]
  if (generation === null && sequence === null) return readAsk(undefined, future)
  return readAsk({generation: readNumber(generation), sequence: readNumber(sequence)}, future)
}

/** As it was sent, or `5:12`, `5-12`, `5/12`. */
function readId(text: string): unknown {
  const [, generation = null, sequence = null] = /^(\d+)[:/-](\d+)$/.exec(text) ?? []
  return generation === null
    ? (parseJson(text) ?? text)
    : {generation: readNumber(generation), sequence: readNumber(sequence)}
}

function readNumber(text: string | null): unknown {
  return text !== null && /^\d+$/.test(text) ? Number(text) : text
}

function readAsk(resume: unknown, future: string | undefined): Result<ResumeAsk, Refusal> {
  const policy = future === 'fail' || future === 'wait' ? future : undefined
  if (resume === undefined || resume === null) return ok({from: undefined, future: policy})
  const from = resume === 'head' ? resume : readCursor(resume)
  return from === undefined ? err(badCursor(JSON.stringify(resume))) : ok({from, future: policy})
}

function badCursor(text: string): Refusal {
  return {code: 'bad_cursor', message: `not a cursor of this stream: ${text.slice(0, 200)}`}
}

export function futureCursor(from: NumberedCursor, head: NumberedCursor): Refusal {
  const [asked, known] = [from, head].map((one) => `{${one.generation}, ${one.sequence}}`)
  return {code: 'future_cursor', message: `${asked} is ahead of ${known}, the last that is known`, head}
}

export function refusalMessage(refusal: Refusal): JsonObject {
  return {type: 'error', ...refusal}
}
