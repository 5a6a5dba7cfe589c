import type {Subject} from './choose-handlers.ts'
import {fold} from './fold.ts'
import type {Says, Told, Vector} from './reading.ts'

/** A frame of a Switch stream as the rules of handlers see it, from what is held. */
export function subjectOf({meaning, about}: Told, held: Vector, vectorSeen: boolean): Subject | undefined {
  if (meaning.kind === 'malformed' || meaning.kind === 'control') return undefined
  const leadsTo = fold(held, vectorSeen, meaning)
  const moved = [...new Set([...held.keys(), ...leadsTo.keys()])].filter((key) => held.get(key) !== leadsTo.get(key))
  const drawnOn = moved.length === 0 && meaning.kind !== 'gap' ? firstRoom(meaning.says) : []
  const comesTo = meaning.kind === 'gap' ? gapComesTo(meaning.says) : meaning.kind === 'event' ? 'handled' : 'discarded'
  return {...about, rooms: [...about.rooms, ...roomsIn(moved), ...drawnOn], comesTo}
}

function gapComesTo({kind}: Says): string {
  return kind === 'replacedBy' ? 'replaced' : kind === 'ownReplacedBy' ? 'ownReplaced' : 'unmoved'
}

/** What moves nothing is drawn on the first room that it reports. */
function firstRoom(says: Says): readonly string[] {
  return says.kind === 'vector' ? roomsIn([...says.vector.keys()]).slice(0, 1) : []
}

function roomsIn(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => (key.startsWith('r:') ? [key.slice(2)] : []))
}
