import type {Meaning, Says, Vector} from './reading.ts'

/** The position a frame leads to, by the design's rules, worked out the plain way: a copy each time. */
export function fold(held: Vector, vectorSeen: boolean, meaning: Meaning): Vector {
  return meaning.kind === 'malformed' || meaning.kind === 'control' ? held : moved(held, vectorSeen, meaning.says)
}

function moved(held: Vector, vectorSeen: boolean, says: Says): Vector {
  switch (says.kind) {
    case 'nothing':
      return held
    case 'vector':
      return larger(held, says.vector)
    case 'number':
      return vectorSeen ? held : larger(held, new Map([['s', says.own]]))
    case 'replacedBy':
      return says.vector
    case 'ownReplacedBy':
      return new Map([...held, ['s', says.own]])
  }
}

function larger(held: Vector, reported: Vector): Vector {
  const both = new Map(held)
  for (const [key, count] of reported) both.set(key, Math.max(count, held.get(key) ?? count))
  return both
}

export function bringsVector(meaning: Meaning): boolean {
  if (meaning.kind === 'malformed' || meaning.kind === 'control') return false
  return meaning.says.kind === 'vector' || meaning.says.kind === 'replacedBy'
}

export function areEqual(a: Vector, b: Vector): boolean {
  if (a === b) return true
  if (a.size !== b.size) return false
  for (const [key, count] of a) if (b.get(key) !== count) return false
  return true
}

export function inWords(vector: Vector): string {
  return JSON.stringify([...vector])
}
