import {compareSessions} from '../../../shared/sessions/session-key.ts'
import type {SourceRecord, WatchedSession} from '../../../shared/source/source.ts'

/** Sessions whose source the user removed: none of them is watched again unless the user says so. */
export interface RemovedSessions {
  readonly note: (session: WatchedSession) => void
  readonly has: (session: WatchedSession) => boolean
}

/** @param records - the removed sources of the profile: it keeps them, and with them the user's word */
export function createRemovedSessions(records: readonly SourceRecord[]): RemovedSessions {
  const removed: WatchedSession[] = records.flatMap(({settings}) => (settings.kind === 'prime' ? [settings] : []))
  return {
    note: (session) => void removed.push(session),
    has: (session) => removed.some((one) => one.socket === session.socket && compareSessions(one, session) === 'same'),
  }
}
