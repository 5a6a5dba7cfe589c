import type {FrameFilter} from '../../shared/contract/contract.ts'
import type {ListedOutcome} from '../../shared/contract/listed-outcome.ts'
import {readSearchWord} from '../../shared/words/name-listed.ts'

export interface Query {
  readonly filter: FrameFilter
  /** Words that look like a key the search knows, with a value it does not: told to the user, never guessed. */
  readonly notUnderstood: readonly string[]
  /** Words that look like a key the search does not know. They are searched for as text, which is told too. */
  readonly takenAsText: readonly string[]
}

export type AtClock = (hours: number, minutes: number, seconds: number) => number

const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

/** Words between spaces; what stands between quotation marks is no end of one. A mark that is not closed goes to the end. */
const WORD = /(?:[^\s"]|"[^"]*"?)+/g

/** As typed by hand, and as some keyboards and texts have them. */
const QUOTES = /[“”„«»]/g

/** A name with a colon, and not the beginning of an address. */
const LIKE_KEY = /^\p{L}[\p{L}\d_-]*:(?!\/\/)./u

const LONGEST_TEXT = 200
const MOST_TEXTS = 20

/**
 * Reads a search such as `room:a outcome:rejected,malformed after:16:00 ping "are you back"`. What is no `key:value` it
 * knows is text: words beside each other as one, and each that is quoted by itself.
 *
 * @param atClock - the instant of a time of the day that clock times mean, epoch ms. Not every day has 24 hours.
 */
export function parseQuery(query: string, atClock: AtClock): Query {
  let filter: FrameFilter = {}
  const plain: string[] = []
  const quoted: string[] = []
  const notUnderstood: string[] = []
  for (const word of wordsOf(query)) {
    const part = word.startsWith('"') ? 'quoted' : readWord(word, atClock)
    if (part === 'quoted') quoted.push(unquoted(word))
    else if (part === 'text') plain.push(unquoted(word))
    else if (part === 'bad') notUnderstood.push(word)
    else filter = {...filter, ...part}
  }
  const texts = [plain.join(' '), ...quoted].filter((text) => text.trim() !== '')
  if (texts.length > 0)
    filter = {...filter, texts: texts.slice(0, MOST_TEXTS).map((text) => text.slice(0, LONGEST_TEXT))}
  return {filter, notUnderstood, takenAsText: plain.filter((word) => LIKE_KEY.test(word))}
}

function wordsOf(query: string): readonly string[] {
  return query.replaceAll(QUOTES, '"').match(WORD) ?? []
}

function unquoted(word: string): string {
  return word.replaceAll('"', '')
}

function readWord(word: string, atClock: AtClock): FrameFilter | 'text' | 'bad' {
  const colon = word.indexOf(':')
  if (colon < 1) return 'text'
  const value = unquoted(word.slice(colon + 1))
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
  const named = value.split(',').filter((name) => name !== '')
  const read = named.map(readSearchWord).filter((known): known is ListedOutcome => known !== undefined)
  return named.length > 0 && read.length === named.length ? {outcomes: read} : 'bad'
}

function instant(value: string, atClock: AtClock, bound: 'from' | 'to'): FrameFilter | 'bad' {
  const clock = CLOCK.exec(value)
  if (clock === null) return 'bad'
  return {[bound]: atClock(Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0))}
}

/** The query with one key set, replaced or (value undefined) taken out; the rest as typed. */
export function withKey(query: string, key: 'lane' | 'outcome', value: string | undefined): string {
  const names = key === 'lane' ? ['lane:', 'room:'] : ['outcome:']
  const others = wordsOf(query).filter((word) => !names.some((name) => word.startsWith(name)))
  return [...others, ...(value === undefined ? [] : [`${key}:${/\s/.test(value) ? `"${value}"` : value}`])].join(' ')
}
