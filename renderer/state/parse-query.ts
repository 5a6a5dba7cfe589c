import {type FrameFilter, frameFilter} from '../../shared/contract/contract.ts'
import {outcome} from '../../shared/contract/rows.ts'

export interface Query {
  readonly filter: FrameFilter
  /** Words that look like a key the search knows, with a value it does not: told to the user, never guessed. */
  readonly notUnderstood: readonly string[]
}

const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

/**
 * Reads a search such as `room:a outcome:rejected,malformed after:16:00 ping`. What is no `key:value` it knows is text.
 *
 * @param dayStart - midnight of the day that clock times mean, epoch ms
 */
export function parseQuery(query: string, dayStart: number): Query {
  let filter: FrameFilter = {}
  const text: string[] = []
  const notUnderstood: string[] = []
  for (const word of query.split(/\s+/).filter((part) => part !== '')) {
    const part = readWord(word, dayStart)
    if (part === 'text') text.push(word)
    else if (part === 'bad') notUnderstood.push(word)
    else filter = {...filter, ...part}
  }
  return {filter: {...filter, ...(text.length === 0 ? {} : {text: text.join(' ').slice(0, 200)})}, notUnderstood}
}

function readWord(word: string, dayStart: number): FrameFilter | 'text' | 'bad' {
  const colon = word.indexOf(':')
  if (colon < 1) return 'text'
  const value = word.slice(colon + 1)
  switch (word.slice(0, colon)) {
    case 'room':
      return value === '' ? 'bad' : {lane: `r:${value}`}
    case 'lane':
      return value === '' ? 'bad' : {lane: value}
    case 'outcome':
      return outcomes(value)
    case 'after':
      return instant(value, dayStart, 'from')
    case 'before':
      return instant(value, dayStart, 'to')
    default:
      return 'text'
  }
}

function outcomes(value: string): FrameFilter | 'bad' {
  const parsed = frameFilter.safeParse({outcomes: value.split(',').filter((name) => name !== '')})
  return parsed.success && value !== '' ? parsed.data : 'bad'
}

function instant(value: string, dayStart: number, bound: 'from' | 'to'): FrameFilter | 'bad' {
  const clock = CLOCK.exec(value)
  if (clock === null) return 'bad'
  const seconds = Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)
  return {[bound]: dayStart + seconds * 1000}
}

/** The query with one key set, replaced or (value undefined) taken out; the rest as typed. */
export function withKey(query: string, key: 'lane' | 'outcome', value: string | undefined): string {
  const names = key === 'lane' ? ['lane:', 'room:'] : ['outcome:']
  const others = query.split(/\s+/).filter((word) => word !== '' && !names.some((name) => word.startsWith(name)))
  return [...others, ...(value === undefined ? [] : [`${key}:${value}`])].join(' ')
}

export const OUTCOMES = outcome.options
