import type {Cursor} from '../cursor/cursor.ts'
import {inherit, type Lane} from '../cursor/lane.ts'
import {
  type ActiveSession,
  itself,
  newActiveSession,
  noteReplacement,
  ownerOf,
  replacementFrom,
} from './active-session.ts'
import {moveTo, newSession, type Session, type SessionStanding, standingOf} from './session.ts'

/** Who is who: sessions by their durable id, and what each active session stands for. */
export interface SessionRegistry {
  readonly active: (activeSession: string) => ActiveSession
  readonly durable: (session: string) => Session
  /** Whose event it is. */
  readonly owner: (activeSession: string, cursor: Cursor) => Session
  /**
   * Someone said which session an active session is. True where that is news.
   *
   * @param at - what it was said of: of a place before a known replacement, it says who was replaced
   */
  readonly tell: (activeSession: string, session: string, at?: Cursor) => boolean
  /** An active session goes on as another session, which inherits where it stands. True where that is news. */
  readonly replace: (activeSession: string, cursor: Cursor, from: Session, to: Session) => boolean
  /** Puts a session on the list, where it is not yet. */
  readonly list: (session: Session) => void
  readonly listed: () => readonly SessionStanding[]
}

/** @param start - where sessions stood before, by durable id. They are on the list from their first fact on. */
export function createSessionRegistry(start: ReadonlyMap<string, Lane>): SessionRegistry {
  const sessions = new Map([...start].map(([id, lane]) => [id, newSession(id, true, lane)]))
  const actives = new Map<string, ActiveSession>()
  const order: Session[] = []

  const active = (id: string): ActiveSession => {
    const known = actives.get(id) ?? newActiveSession(id)
    actives.set(id, known)
    return known
  }
  const durable = (id: string): Session => {
    const known = sessions.get(id) ?? newSession(id, true)
    sessions.set(id, known)
    return known
  }
  const list = (session: Session): void => {
    if (session.place !== undefined) return
    session.place = order.length
    order.push(session)
  }

  return {
    active,
    durable,
    list,
    owner: (id, cursor) => ownerOf(active(id), cursor),
    tell(id, session, at) {
      const one = active(id)
      const before = at === undefined ? undefined : pastSession(one, at, session)
      const meant = before ?? itself(one.current)
      if (meant.told && (before !== undefined || meant.id === session)) return false
      const known = durable(session)
      if (!meant.told) moveTo(known, meant)
      if (before === undefined) one.current = known
      return true
    },
    replace(id, cursor, from, to) {
      const one = active(id)
      const {again, latest} = noteReplacement(one, cursor, from)
      if (latest) one.current = to
      if (again) return false
      to.lane = inherit(to.lane, from.lane)
      list(to)
      return true
    },
    listed() {
      const held = new Set(order.map(itself))
      return [...held].sort((a, b) => (a.place ?? 0) - (b.place ?? 0)).map(standingOf)
    },
  }
}

/** Who was replaced behind a place in the stream. At the replacement's own number that is told of the new session, unless it names the old. */
function pastSession(one: ActiveSession, at: Cursor, session: string): Session | undefined {
  const replacement = replacementFrom(one, at)
  if (replacement === undefined) return undefined
  const before = itself(replacement.before)
  return replacement.sequence > at.sequence || before.id === session ? before : undefined
}
