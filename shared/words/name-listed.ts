import {type ListedOutcome, listedOutcome} from '../contract/listed-outcome.ts'
import {ADOPTED, NOTHING_NEW} from './explain-cursor.ts'
import {nameGapOutcome, nameOutcome, type StateWords} from './name-state.ts'

/** What a row of a list came to, in the word that stands there. */
export function nameListed(listed: ListedOutcome): StateWords {
  switch (listed) {
    case 'replaced':
      return {...nameGapOutcome('replaced'), meaning: 'The position was replaced by the one the server named.'}
    case 'unmoved':
      return {
        ...nameGapOutcome('unmoved'),
        meaning: 'The server declared a loss, and named no other position than the one held. Nothing moved.',
      }
    case 'adopted':
      return ADOPTED
    case 'nothingNew':
      return NOTHING_NEW
    default:
      return nameOutcome(listed)
  }
}

/** The same word as it is typed in a search. */
export function searchWord(listed: ListedOutcome): string {
  return nameListed(listed).word.replaceAll(' ', '-')
}

/** `undefined`: no row says so. */
export function readSearchWord(word: string): ListedOutcome | undefined {
  return listedOutcome.options.find((listed) => searchWord(listed) === word.toLowerCase())
}
