import {present} from '../base/present.ts'

/** What names a session of a daemon for ever: its durable id, or where that is not said the file of its transcript. (Prime note, section 10.) */
export interface SessionKey {
  readonly sessionId?: string | undefined
  readonly sessionFile?: string | undefined
}

/** No session of a daemon is named longer: it would be no name, and cannot be watched. */
export const LONGEST_SESSION_ID = 200
export const LONGEST_SESSION_FILE = 1_000

/** As sent: what is empty names nothing, and no path is longer. */
export function sessionKey(sessionId: string | undefined, sessionFile: string | undefined): SessionKey {
  const isPath = sessionFile !== '' && (sessionFile?.length ?? 0) <= LONGEST_SESSION_FILE
  return present({
    sessionId: sessionId === '' ? undefined : sessionId,
    sessionFile: isPath ? sessionFile : undefined,
  })
}

/** Ids decide where both are told; files where one is not. `unknown`: they have nothing to be compared by. */
export function compareSessions(a: SessionKey, b: SessionKey): 'same' | 'other' | 'unknown' {
  const by = a.sessionId !== undefined && b.sessionId !== undefined ? 'sessionId' : 'sessionFile'
  if (a[by] === undefined || b[by] === undefined) return 'unknown'
  return a[by] === b[by] ? 'same' : 'other'
}

/** What is known of a session once it was told of again; the same object where nothing of that is news. */
export function learnSession(known: SessionKey, told: SessionKey): SessionKey {
  const isName = told.sessionId === undefined || told.sessionId.length <= LONGEST_SESSION_ID
  if (!isName || compareSessions(known, told) !== 'same') return known
  const {sessionId = known.sessionId, sessionFile = known.sessionFile} = told
  const isNews = sessionId !== known.sessionId || sessionFile !== known.sessionFile
  return isNews ? present({sessionId, sessionFile}) : known
}

/** For people. */
export function sessionName({sessionId, sessionFile}: SessionKey): string {
  return sessionId ?? sessionFile ?? ''
}
