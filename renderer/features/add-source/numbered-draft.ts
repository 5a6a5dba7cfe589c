import {newSource} from '../../../shared/contract/contract.ts'
import {WHOLE_PATH} from '../../../shared/contract/where.ts'
import {type Cursor, parseCursor} from '../../../shared/cursor/cursor.ts'
import {ID_FORMS, type IdForm, idOfCursor, idTemplate} from '../../../shared/cursor/cursor-id.ts'
import type {CursorPlace, FutureChoice, NumberedFrom, NumberedSettings} from '../../../shared/source/numbered.ts'
import {resumeHeader, resumeLine, resumeQuery} from '../../../shared/source/resume-request.ts'
import type {DraftReading} from './draft-reading.ts'

/** The form as typed. What belongs to another way than the one chosen stays, for a change of mind. */
export interface NumberedDraft {
  readonly name: string
  readonly over: NumberedFrom['over']
  readonly address: string
  readonly resume: string
  readonly path: string
  readonly url: string
  readonly query: string
  readonly lastEventId: string
  /** Of an event stream only. */
  readonly cursorIn: 'data' | IdForm
  readonly cursorAt: string
  readonly typeAt: string
  readonly future: FutureChoice
}

export const EMPTY_NUMBERED: NumberedDraft = {
  name: '',
  over: 'socket',
  address: '',
  resume: '{"resume":{cursor},"future":"{future}"}',
  path: '',
  url: '',
  query: 'generation={generation}&sequence={sequence}&future={future}',
  lastEventId: '',
  cursorIn: 'data',
  cursorAt: 'cursor',
  typeAt: 'type',
  future: 'fail',
}

/** Filled in with what a source is watched by. */
export function numberedDraftOf(name: string, {from, cursorAt, typeAt, future}: NumberedSettings): NumberedDraft {
  const place = typeof cursorAt === 'string' ? {cursorAt} : {cursorIn: cursorAt.id}
  return {...EMPTY_NUMBERED, ...from, ...place, name, typeAt, future}
}

const BAD_URL = 'a URL that begins with http:// or https://, without a user name, a query or a fragment'

export function readNumberedDraft(draft: NumberedDraft): DraftReading {
  const missing = missingFrom(draft)
  if (missing.length > 0) return {kind: 'notReady', missing}
  const {typeAt, future} = draft
  const source = newSource.safeParse({
    name: draft.name.trim() === '' ? usualName(draft) : draft.name,
    settings: {
      kind: 'numbered',
      from: fromOf(draft),
      cursorAt: placeIn(draft),
      typeAt: typeAt.trim(),
      future,
    },
  })
  if (source.success) return {kind: 'ready', source: source.data}
  const badUrl = source.error.issues.some(({path}) => path.includes('url'))
  return {kind: 'notReady', missing: [badUrl ? BAD_URL : source.error.message]}
}

function missingFrom(draft: NumberedDraft): readonly string[] {
  const {over, address, path, url, typeAt} = draft
  const cursorAt = placeIn(draft)
  const where = {socket: address, file: path, sse: url}[over].trim()
  const isPart = over === 'file' && where !== '' && !WHOLE_PATH.test(where)
  return [
    ...(where === '' ? [WHERE[over]] : []),
    ...(isPart ? ['the whole path of the file, from the root'] : []),
    ...(typeof cursorAt !== 'string' || isPlace(cursorAt)
      ? []
      : ['the members down to the cursor, with one dot between two']),
    ...(isPlace(typeAt) ? [] : ['the members down to the type, with one dot between two']),
  ]
}

/** Where this form says that a message has its cursor. */
export function placeIn({over, cursorIn, cursorAt}: NumberedDraft): CursorPlace {
  return over === 'sse' && cursorIn !== 'data' ? {id: cursorIn} : cursorAt.trim()
}

const TEMPLATES: readonly string[] = ID_FORMS.map(idTemplate)

/** What stands in an id is usually asked for by it. Only what nobody wrote by hand is changed along. */
export function chooseCursorIn(
  {query, lastEventId}: NumberedDraft,
  cursorIn: NumberedDraft['cursorIn'],
): Partial<NumberedDraft> {
  const isUsual = query === EMPTY_NUMBERED.query || query === ''
  const isOurs = lastEventId === '' || TEMPLATES.includes(lastEventId)
  if (!isUsual || !isOurs) return {cursorIn}
  return cursorIn === 'data'
    ? {cursorIn, query: EMPTY_NUMBERED.query, lastEventId: ''}
    : {cursorIn, query: '', lastEventId: idTemplate(cursorIn)}
}

const WHERE: {readonly [O in NumberedDraft['over']]: string} = {
  socket: 'the address of the socket',
  file: 'the path of the file',
  sse: 'the URL of the stream',
}

/** Empty is one: the message itself. */
function isPlace(text: string): boolean {
  return (
    text.trim() === '' ||
    text
      .trim()
      .split('.')
      .every((name) => name !== '')
  )
}

function fromOf(draft: NumberedDraft): NumberedFrom {
  const {over} = draft
  switch (over) {
    case 'socket':
      return {over, address: draft.address.trim(), resume: draft.resume.trim()}
    case 'file':
      return {over, path: draft.path.trim()}
    case 'sse':
      return {over, url: draft.url.trim(), query: draft.query.trim(), lastEventId: draft.lastEventId.trim()}
  }
}

const LONGEST_NAME = 100

/** The end of a path, the host of a URL, or the address as it is. */
export function usualName({over, address, path, url}: NumberedDraft): string {
  const name =
    over === 'sse' ? (URL.canParse(url.trim()) ? new URL(url.trim()).host : url) : over === 'file' ? path : address
  return (name.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? '').trim().slice(0, LONGEST_NAME)
}

const EXAMPLE: Cursor | undefined = parseCursor({generation: 5, sequence: 12})

export interface Asked {
  /** Where a cursor is held: {5, 12}, for one. */
  readonly after: string
  readonly fromTheBeginning: string
}

/** What is sent to the server, for a cursor held and for none. `undefined`: it is a file, and nobody is asked. */
export function askedBy(draft: NumberedDraft): Asked | undefined {
  if (draft.over === 'file') return undefined
  const say = draft.over === 'socket' ? saidInLine : saidInRequest
  const {future} = draft
  return {
    after: say(draft, EXAMPLE === undefined ? {future} : {from: EXAMPLE, future}),
    fromTheBeginning: say(draft, {future}),
  }
}

type Ask = Parameters<typeof resumeLine>[1]

function saidInLine({resume}: NumberedDraft, ask: Ask): string {
  return resume.trim() === '' ? 'nothing' : resumeLine(resume.trim(), ask)
}

function saidInRequest({query, lastEventId}: NumberedDraft, ask: Ask): string {
  const parameters = new URLSearchParams(resumeQuery(query.trim(), ask).map(([name, value]) => [name, value]))
  const header = resumeHeader(lastEventId, ask)
  const [asked, last] = [
    parameters.size === 0 ? '' : `?${parameters}`,
    header === undefined ? '' : `Last-Event-ID: ${header}`,
  ]
  return [asked, last].filter((part) => part !== '').join(', ') || 'nothing'
}

/** A message that this form would read, so that the places can be compared with a real one. */
export function exampleMessage(draft: NumberedDraft): string {
  const cursor = {generation: 5, sequence: 12}
  const [cursorAt, typeAt] = [placeIn(draft), draft.typeAt]
  const typed = typeAt.trim() === '' ? {} : nest(typeAt.trim(), 'event', {})
  if (typeof cursorAt !== 'string')
    return `id: ${EXAMPLE === undefined ? '' : idOfCursor(EXAMPLE, cursorAt.id)}, data: ${JSON.stringify(typed)}`
  const message = cursorAt === '' ? {...typed, ...cursor} : nest(cursorAt, cursor, typed)
  return JSON.stringify(message)
}

interface Nested {
  readonly [name: string]: unknown
}

function nest(place: string, value: unknown, into: Nested): Nested {
  const [name = '', ...deeper] = place.split('.')
  const below = into[name]
  const inside = typeof below === 'object' && below !== null ? (below as Nested) : {}
  return {...into, [name]: deeper.length === 0 ? value : nest(deeper.join('.'), value, inside)}
}
