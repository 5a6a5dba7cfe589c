import {type FrameFilter, frameFilter} from '../../shared/contract/contract.ts'
import {outcome} from '../../shared/contract/rows.ts'

export interface Query {
  readonly filter: FrameFilter
  /** Words that look like a key the search knows, with a value it does not: told to the user, never guessed. */
  readonly notUnderstood: readonly string[]
}

export type AtClock = (hours: number, minutes: number, seconds: number) => number

const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

/**
 * Reads a search such as `room:a outcome:rejected,malformed after:16:00 ping`. What is no `key:value` it knows is text.
 *
 * @param atClock - the instant of a time of the day that clock times mean, epoch ms. Not every day has 24 hours.
 */
export function parseQuery(query: string, atClock: AtClock): Query {
  let filter: FrameFilter = {}
  const text: string[] = []
  const notUnderstood: string[] = []
  for (const word of query.split(/\s+/).filter((part) => part !== '')) {
    const part = readWord(word, atClock)
    if (part === 'text') text.push(word)
    else if (part === 'bad') notUnderstood.push(word)
    else filter = {...filter, ...part}
  }
  return {filter: {...filter, ...(text.length === 0 ? {} : {text: text.join(' ').slice(0, 200)})}, notUnderstood}
}

function readWord(word: string, atClock: AtClock): FrameFilter | 'text' | 'bad' {
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
      return instant(value, atClock, 'from')
    case 'before':
      return instant(value, atClock, 'to')
    default:
      return 'text'
  }
}

function outcomes(value: string): FrameFilter | 'bad' {
  const parsed = frameFilter.safeParse({outcomes: value.split(',').filter((name) => name !== '')})
  return parsed.success && value !== '' ? parsed.data : 'bad'
}

function instant(value: string, atClock: AtClock, bound: 'from' | 'to'): FrameFilter | 'bad' {
  const clock = CLOCK.exec(value)
  if (clock === null) return 'bad'
  return {[bound]: atClock(Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0))}
}

/** The query with one key set, replaced or (value undefined) taken out; the rest as typed. */
export function withKey(query: string, key: 'lane' | 'outcome', value: string | undefined): string {
  const names = key === 'lane' ? ['lane:', 'room:'] : ['outcome:']
  const others = query.split(/\s+/).filter((word) => word !== '' && !names.some((name) => word.startsWith(name)))
  return [...others, ...(value === undefined ? [] : [`${key}:${value}`])].join(' ')
}

export const OUTCOMES = outcome.options
