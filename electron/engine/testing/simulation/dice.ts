/** Chance from a seed. Everything random in a simulated world comes from one of these. */
export interface Dice {
  /** In [0, 1). */
  readonly next: () => number
  /** A whole number in [0, n). */
  readonly below: (n: number) => number
  /** In [low, high). */
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(list: readonly [T, ...T[]]) => T
  /**
   * Dice of their own for one part of the world. They depend on the seed and the names on the way to them only, never on how
   * often anything was thrown: so leaving out one event does not change what happens elsewhere, and a failure can be shrunk.
   */
  readonly fork: (name: string) => Dice
}

/** The step of the counter: 2^32 divided by the golden ratio, odd, so that it visits every number. */
const GOLDEN = 0x9e3779b9

/** A counter whose every value is mixed: the same numbers on every machine, each fork in a stretch of its own. */
export function createDice(seed: number, name = ''): Dice {
  let counter = mixText(seed >>> 0, name)
  const next = (): number => {
    counter = (counter + GOLDEN) >>> 0
    return mix(counter) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(next() * n)
  return {
    next,
    below,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)] ?? list[0],
    fork: (part) => createDice(seed, `${name}/${part}`),
  }
}

/** Spreads every bit over all 32: shifts and odd factors, so that no two numbers become one. */
function mix(value: number): number {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

function mixText(seed: number, text: string): number {
  let mixed = mix(seed ^ GOLDEN)
  for (let at = 0; at < text.length; at++) mixed = mix(mixed ^ Math.imul(text.charCodeAt(at) + at, GOLDEN))
  return mixed
}
