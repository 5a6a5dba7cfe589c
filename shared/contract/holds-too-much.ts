/** So many values an input may hold, with all that lies in it: several times what any screen sends. */
const MOST_VALUES = 50_000

/** Counted before anything is made of it, because an explanation of all that is wrong with an input is many times its size. */
export function holdsTooMuch(input: unknown): boolean {
  const waiting: unknown[] = [input]
  for (let counted = 0; waiting.length > 0; counted++) {
    if (counted + waiting.length > MOST_VALUES) return true
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (members.length > MOST_VALUES) return true
    waiting.push(...members)
  }
  return false
}
