import type {Change} from '../../../../shared/history/change.ts'
import type {SourceRecord} from '../../../../shared/source/source.ts'
import type {Verdict} from './verdict.ts'

/** Keeps the user's word about what is watched: what was removed stays away, and what is there goes only where it was removed. */
export interface Removals {
  /** The user removes this source. Where that is refused, it stays. */
  readonly asks: (source: string) => void
  /** The user wants a session watched whose source was removed. */
  readonly wants: (session: Watched) => void
  /** The removal is durable. */
  readonly has: (source: string) => boolean
  /** Sessions that nothing but the user's word brings back. */
  readonly sessions: () => readonly Watched[]
  readonly durable: (changes: readonly Change[]) => void
  /** The engine was told of them. */
  readonly acknowledged: (changes: readonly Change[]) => void
  readonly loaded: (sources: readonly string[]) => void
  /** These are on everybody's screen. */
  readonly seen: (sources: readonly string[]) => void
}

export interface Watched {
  readonly socket: string
  readonly sessionId: string
}

const CAME_BACK = 'a source that the user removed came back'

export function createRemovals({broken}: Verdict): Removals {
  const known = new Map<string, Watched>()
  const asked = new Set<string>()
  const removed = new Set<string>()
  const told = new Set<string>()
  const wanted = new Set<string>()
  const watched = (): ReadonlySet<string> =>
    new Set([...known].flatMap(([source, session]) => (removed.has(source) ? [] : [inWords(session)])))
  const away = (): readonly Watched[] =>
    [...known].flatMap(([source, session]) =>
      removed.has(source) && !watched().has(inWords(session)) ? [session] : [],
    )

  function added(record: SourceRecord): void {
    const session = sessionOf(record)
    if (session === undefined) return
    const isAway = away().some((one) => inWords(one) === inWords(session))
    if (isAway && !wanted.delete(inWords(session))) broken(CAME_BACK, `${inWords(session)} as ${record.id}`)
    known.set(record.id, session)
  }
  return {
    asks: (source) => void asked.add(source),
    wants: (session) => void wanted.add(inWords(session)),
    has: (source) => removed.has(source),
    sessions: away,
    durable(changes) {
      for (const change of changes) {
        if (change.kind === 'sourceAdded') added(change.source)
        if (change.kind !== 'sourceRemoved') continue
        if (!asked.has(change.source)) broken('a source was removed that no user removed', change.source)
        removed.add(change.source)
      }
    },
    acknowledged(changes) {
      for (const change of changes) if (change.kind === 'sourceRemoved') told.add(change.source)
    },
    loaded(sources) {
      for (const source of sources) if (removed.has(source)) broken(CAME_BACK, `${source} was loaded`)
      for (const source of removed) told.add(source)
    },
    seen(sources) {
      for (const source of sources) if (told.has(source)) broken(CAME_BACK, `${source} is visible`)
    },
  }
}

function sessionOf({settings}: SourceRecord): Watched | undefined {
  if (settings.kind !== 'prime' || settings.sessionId === undefined) return undefined
  return {socket: settings.socket, sessionId: settings.sessionId}
}

function inWords({socket, sessionId}: Watched): string {
  return `${socket} ${sessionId}`
}
