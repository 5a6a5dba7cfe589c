import {compareSessions} from '../../../shared/sessions/session-key.ts'
import type {WatchedSession} from '../../../shared/source/source.ts'
import type {SourceController} from '../source-controller.ts'
import type {SourceRun} from '../source-run.ts'

/** The session that a source watches. Of a demo it is known once its daemon was started. */
export function sessionOf({record, demoSession}: SourceRun): WatchedSession | undefined {
  return record.settings.kind === 'prime' ? record.settings : demoSession
}

/** One source a session: a second one would have a cursor of its own for the same numbers. */
export function watcherOf(sources: Iterable<SourceController>, session: WatchedSession): SourceController | undefined {
  return [...sources].find(({run}) => {
    const watched = sessionOf(run)
    return watched?.socket === session.socket && compareSessions(watched, session) === 'same'
  })
}
