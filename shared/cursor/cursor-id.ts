import {parseJson} from '../base/json.ts'
import {parseSequence} from '../position/position.ts'
import {type Cursor, parseCursor} from './cursor.ts'

/** How a cursor stands in the `id` of a server-sent event: both numbers with a sign between them, or as JSON. */
export const ID_FORMS = ['G:S', 'G-S', 'G/S', 'json'] as const
export type IdForm = (typeof ID_FORMS)[number]

const BETWEEN = {'G:S': ':', 'G-S': '-', 'G/S': '/'} as const

/** As a server writes it. */
export function idOfCursor(cursor: Cursor, form: IdForm): string {
  const {generation, sequence} = cursor
  return form === 'json' ? JSON.stringify({generation, sequence}) : `${generation}${BETWEEN[form]}${sequence}`
}

/** All or nothing. Two numbers are taken as they are written back only: the server is sent what it sent. */
export function cursorOfId(id: string, form: IdForm): Cursor | undefined {
  if (form === 'json') return parseCursor(parseJson(id))
  const [generation = '', sequence = '', ...more] = id.split(BETWEEN[form])
  const cursor = parseCursor({generation: wholeNumber(generation), sequence: wholeNumber(sequence)})
  return more.length === 0 && cursor !== undefined && idOfCursor(cursor, form) === id ? cursor : undefined
}

function wholeNumber(text: string): unknown {
  return /^\d+$/.test(text) ? parseSequence(Number(text)) : undefined
}

/** What asks for what comes after a cursor in this form. */
export function idTemplate(form: IdForm): string {
  return form === 'json' ? '{cursor}' : `{generation}${BETWEEN[form]}{sequence}`
}
