/** Values as they cross to another thread: numbers and words in two arrays, in the order in which they will be taken out again. */
export interface Packed {
  /** Numbers as they are, words as their place in `words`. */
  readonly numbers: Float64Array<ArrayBuffer>
  readonly words: readonly string[]
  /** What is rare, whole. */
  readonly others: readonly unknown[]
}

export interface Packing {
  /** Never NaN: that stands for `undefined`. */
  readonly number: (value: number | undefined) => void
  /** One of few, or one that comes again and again: it crosses once. */
  readonly word: (value: string | undefined) => void
  /** One that hardly comes twice. */
  readonly text: (value: string) => void
  readonly other: (value: unknown) => void
  readonly packed: () => Packed
}

/** Takes values out again; the caller knows their kinds. */
export interface Unpacking {
  readonly number: () => number
  readonly optionalNumber: () => number | undefined
  readonly word: () => string
  readonly optionalWord: () => string | undefined
  readonly other: () => unknown
}

const ABSENT = -1
/** Numbers there is room for at first; it doubles. */
const ROOM = 1_024

export function createPacking(): Packing {
  let numbers = new Float64Array(ROOM) // and no list: to write into one costs half as much
  let length = 0
  const words: string[] = []
  const others: unknown[] = []
  const places = new Map<string, number>()
  const number = (value: number | undefined): void => {
    if (length === numbers.length) {
      const wider = new Float64Array(2 * length)
      wider.set(numbers)
      numbers = wider
    }
    numbers[length++] = value ?? Number.NaN
  }
  const placeOf = (value: string): number => {
    const known = places.get(value)
    if (known !== undefined) return known
    places.set(value, words.length)
    return words.push(value) - 1
  }
  return {
    number,
    word: (value) => number(value === undefined ? ABSENT : placeOf(value)),
    text: (value) => number(words.push(value) - 1),
    other: (value) => number(value === undefined ? ABSENT : others.push(value) - 1),
    packed: () => ({numbers: numbers.slice(0, length), words, others}),
  }
}

export function createUnpacking({numbers, words, others}: Packed): Unpacking {
  let at = 0
  const number = (): number => {
    const value = numbers[at++]
    if (value === undefined) throw new Error('more was taken out than was put in')
    return value
  }
  const optionalWord = (): string | undefined => words[number()]
  return {
    number,
    optionalNumber() {
      const value = number()
      return Number.isNaN(value) ? undefined : value
    },
    word() {
      const value = optionalWord()
      if (value === undefined) throw new Error('a word is missing')
      return value
    },
    optionalWord,
    other: () => others[number()],
  }
}
