import type {Cursor, Generation} from '../cursor/cursor.ts'
import {newSession, type Session} from './session.ts'

/** What an active session stands for now, and what it stood for before each of its replacements. */
export interface ActiveSession {
  current: Session
  /** By generation, ascending by number. */
  readonly replacements: Map<Generation, Replacement[]>
}

export interface Replacement {
  /** Events up to this number are of the session before, on whatever connection they come. */
  readonly sequence: number
  readonly before: Session
}

export function newActiveSession(id: string): ActiveSession {
  return {current: newSession(id, false), replacements: new Map()}
}

/** The first known replacement whose number is not below the cursor's, in its generation. */
export function replacementFrom(
  {replacements}: ActiveSession,
  {generation, sequence}: Cursor,
): Replacement | undefined {
  const list = replacements.get(generation) ?? []
  return list[firstFrom(list, sequence)]
}

/** Whose event it is. */
export function ownerOf(active: ActiveSession, cursor: Cursor): Session {
  return itself(replacementFrom(active, cursor)?.before ?? active.current)
}

/** How a replacement stands to those that are known of its generation. */
export interface NotedReplacement {
  /** It was known: its message came again. */
  readonly again: boolean
  /** None of a higher number is known: the active session is now what it says. */
  readonly latest: boolean
}

export function noteReplacement(
  active: ActiveSession,
  {generation, sequence}: Cursor,
  before: Session,
): NotedReplacement {
  const list = active.replacements.get(generation) ?? []
  active.replacements.set(generation, list)
  const at = firstFrom(list, sequence)
  const again = list[at]?.sequence === sequence
  if (!again) list.splice(at, 0, {sequence, before})
  return {again, latest: at === list.length - 1}
}

/** A session that was found to be another one is that one. */
export function itself(session: Session): Session {
  let one = session
  while (one.movedTo !== undefined) one = one.movedTo
  return one
}

/** The index of the first replacement whose number is at least `sequence`. */
function firstFrom(list: readonly Replacement[], sequence: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle]?.sequence ?? 0) < sequence) low = middle + 1
    else high = middle
  }
  return low
}
