import {assertNever} from '../base/assert-never.ts'
import type {PrimeDaemon, SessionFacts} from '../contract/rows.ts'
import {type Explanation, withSaid} from './explanation.ts'
import type {StateWords} from './name-state.ts'

/** What is known of the daemon behind a socket. */
export function explainDaemon({state, detail = ''}: Pick<PrimeDaemon, 'state' | 'detail'>): Explanation {
  switch (state) {
    case 'looking':
      return {title: 'Not known yet', detail: 'Tidemark is connecting to this socket.', whatToDo: ''}
    case 'absent':
      return {
        title: 'No daemon runs here; still looking',
        detail:
          'Nothing is at this path. Tidemark looks again now and then; it starts nothing and makes nothing there.',
        whatToDo: 'Start Prime Agent, or name another socket.',
      }
    case 'stale':
      return {
        title: 'A socket file is here, and nobody answers it',
        detail:
          'A daemon may have ended a moment ago and come back in seconds. Tidemark looks again, and leaves the file as it is.',
        whatToDo: 'Nothing is to be done, unless it stays so: then start Prime Agent.',
      }
    case 'connected':
      return {title: 'Found', detail: 'Its sessions are listed here.', whatToDo: ''}
    case 'unsupported':
      return {
        title: detail === '' ? 'Unsupported protocol' : `Unsupported protocol: ${detail}`,
        detail: 'Tidemark speaks protocol 7 of prime-agent.daemon. Nothing was sent to this one.',
        whatToDo: 'Look for a newer Tidemark.',
      }
    case 'failed':
      return withSaid(
        {
          title: 'The daemon could not be asked',
          detail: 'Tidemark tries again after a pause.',
          whatToDo: 'Nothing is to be done, unless it stays so: then look who may open this socket.',
        },
        detail,
      )
    default:
      return assertNever(state)
  }
}

/** What a session does, as the daemon's list told it. */
export function nameSessionState(state: NonNullable<SessionFacts['state']>): StateWords {
  switch (state) {
    case 'running':
      return {word: 'running', meaning: 'A turn, or a subagent of it, is at work.'}
    case 'idle':
      return {word: 'idle', meaning: 'Its worker is ready and nothing is at work.'}
    case 'starting':
      return {word: 'starting', meaning: 'Its worker is not ready yet.'}
    case 'recovering':
      return {word: 'recovering', meaning: 'The daemon is bringing its worker back.'}
    case 'stopping':
      return {word: 'stopping', meaning: 'Its worker is about to end.'}
    case 'failed':
      return {
        word: 'worker failed',
        meaning: 'Its worker is gone. Nothing restarts it by itself: it has to be opened again.',
      }
    case 'unknown':
      return {word: 'state not known', meaning: 'The daemon said nothing that Tidemark can read.'}
    default:
      return assertNever(state)
  }
}

/**
 * Another process stands before the workers than the last one that was met.
 *
 * @param after - when that one was last heard
 * @param by - when this one was met
 */
export function tellReplacedSupervisor(after: string, by: string): string {
  const when = after === by ? by : `between ${after} and ${by}`
  return `Supervisor replaced, ${when}: another process of the daemon answers. That by itself is no reset: where the worker lived on, its generation and numbers go on, and what happened in between shows as a hole, if anything did.`
}

/** What a test of a session's daemon found. */
export function explainSessionTrial({
  daemon,
  resident,
}: {
  readonly daemon: PrimeDaemon
  readonly resident: boolean
}): Explanation {
  if (daemon.state !== 'connected') return explainDaemon(daemon)
  if (resident)
    return {
      title: 'Reached: the daemon holds this session',
      detail: 'Nothing was attached to.',
      whatToDo: 'Saved, it is watched there, from the acknowledged cursor.',
    }
  return {
    title: 'Reached, but the daemon does not list this session',
    detail: 'It may be resident there later. Nothing was attached to.',
    whatToDo: 'Saved, it is watched there once it is listed; else check the path.',
  }
}

/** What watching a session does to it. From the Prime note, section 6. */
export const WATCHING_EFFECTS: ReadonlyArray<readonly [what: string, effect: string]> = [
  ['Attached clients', 'The session shows one attached client more, to everybody, for as long as it is watched.'],
  [
    'Idle sessions',
    'A session with an attached client is never put away for being idle, nor is its worker. So Tidemark leaves after 15 minutes in which nothing happened, and comes back when something does.',
  ],
  [
    'Streams of others',
    'Attaching, like asking for the list, makes the daemon send the text that is being streamed anew; a client that reads it carelessly may miss a part. Tidemark asks for the list rarely.',
  ],
  [
    'Sessions that follow',
    'Where the session goes on as another one (new, switched, forked), that one becomes a source too, unless you removed it before.',
  ],
  [
    'Subagents',
    'A subagent that was attached to once stays loaded until its worker or the daemon ends. Tidemark attaches to one only on your word.',
  ],
]

/** And what it does not. */
export const WATCHING_LEAVES =
  'Tidemark sends no prompt, answers no dialog, starts no model call, and writes nothing to the transcript. It never launches or stops a daemon.'
