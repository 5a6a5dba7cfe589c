/** What of a search was not taken as it may have been meant; `wrong` where a part of it has no effect. */
export interface SearchRemark {
  readonly wrong: boolean
  readonly words: string
}

/** The keys of a search, in the order in which they are told. */
export const SEARCH_KEYS = ['room', 'lane', 'outcome', 'after', 'before'] as const

interface Read {
  readonly notUnderstood: readonly string[]
  readonly takenAsText: readonly string[]
}

export function explainSearch({notUnderstood, takenAsText}: Read): SearchRemark | undefined {
  const parts = [
    ...(notUnderstood.length > 0 ? [`not understood, and left out: ${notUnderstood.join(' ')}`] : []),
    ...(takenAsText.length > 0
      ? [`searched as text, being no key: ${takenAsText.join(' ')} (keys are ${SEARCH_KEYS.join(', ')})`]
      : []),
  ]
  return parts.length === 0 ? undefined : {wrong: notUnderstood.length > 0, words: parts.join(' · ')}
}
