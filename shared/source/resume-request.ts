import type {Cursor} from '../cursor/cursor.ts'
import type {FutureChoice} from './numbered.ts'

/** From where a numbered stream is asked for. */
export interface ResumeAsk {
  /** Absent: everything that is retained. */
  readonly from?: Cursor
  readonly future: FutureChoice
}

const NAMES = /\{(cursor|generation|sequence|future)\}/g
const NAMES_A_CURSOR = /\{(?:cursor|generation|sequence)\}/

/**
 * A line of JSON made of a template: `{cursor}` is the cursor as it is sent, `{generation}` and `{sequence}` are its parts, each
 * `null` where none is held; `{future}` is `fail` or `wait`, without quotes.
 */
export function resumeLine(template: string, {from, future}: ResumeAsk): string {
  return template.replaceAll(NAMES, (_, name: string) =>
    name === 'future' ? future : (JSON.stringify(partOf(name, from)) ?? 'null'),
  )
}

/** Parameters of an address. What names a cursor is left out where none is held. */
export function resumeQuery(template: string, ask: ResumeAsk): ReadonlyArray<readonly [name: string, value: string]> {
  return template
    .split('&')
    .filter((parameter) => parameter !== '')
    .filter((parameter) => ask.from !== undefined || !NAMES_A_CURSOR.test(parameter))
    .map((parameter) => {
      const [name = '', ...value] = parameter.split('=')
      return [name, resumeText(value.join('='), ask)]
    })
}

/** A header; `undefined`: it names a cursor and none is held, or there is no such header. */
export function resumeHeader(template: string, ask: ResumeAsk): string | undefined {
  const text = template.trim()
  if (text === '' || (ask.from === undefined && NAMES_A_CURSOR.test(text))) return undefined
  return resumeText(text, ask)
}

/** As text rather than JSON: a generation that is a name stands without quotes. */
function resumeText(template: string, {from, future}: ResumeAsk): string {
  return template.replaceAll(NAMES, (_, name: string) => {
    if (name === 'future') return future
    const part = partOf(name, from)
    return typeof part === 'string' ? part : JSON.stringify(part)
  })
}

function partOf(name: string, from: Cursor | undefined): Cursor | string | number | undefined {
  if (from === undefined) return undefined
  const {generation, sequence} = from
  if (name === 'cursor') return {generation, sequence}
  return name === 'generation' ? generation : sequence
}
