/** A failure in words for people. */
export interface Explanation {
  /** What happened. */
  readonly title: string
  /** What Tidemark does about it. */
  readonly detail: string
  /** What the user can do. */
  readonly whatToDo: string
  /** What the other side said, as sent; absent where it said nothing. */
  readonly said?: string
}

export type Words = Omit<Explanation, 'said'>

/** Adds what the other side said, where it said something. */
export function withSaid(words: Words, said: string): Explanation {
  return said === '' ? words : {...words, said}
}
