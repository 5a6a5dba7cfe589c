import type {SessionFacts} from '../../../shared/contract/rows.ts'
import type {FrameProblem} from '../../../shared/frames/frame.ts'
import {entryOf} from '../../../shared/frames/prime-frame.ts'
import type {PrimeMessage} from '../../../shared/frames/prime-message.ts'
import {clip} from '../../../shared/frames/summary.ts'
import type {Activity} from '../../../shared/history/activity.ts'
import {createActivityTracker} from '../../../shared/sessions/activity-tracker.ts'
import type {SessionKey} from '../../../shared/sessions/session-key.ts'
import {createStreamingMessage} from '../../../shared/sessions/streaming-text.ts'
import type {Supervisor} from '../../../shared/sessions/supervisor.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {PassiveCommand} from './passive-command.ts'
import {takeNumbered, takeReplaced} from './talk-events.ts'
import {askAgain, takeBegin, takeChunk, takeEnd, takeFailed, takeResynced} from './talk-snapshots.ts'
import {type Talk, type TalkSetup, talkAt} from './talk-state.ts'
import type {Reading, Step, Taken} from './talk-step.ts'
import {nextDueOf, takeHello, takeResponse, tickOf} from './talk-turns.ts'

/**
 * The conversation about one watched session on one connection, as a machine without clock or socket: hello, attach, snapshots,
 * events, and whether the session is still alive. It judges numbers as they are read, ahead of the cursor, which moves when a
 * frame is handled.
 */
export interface SessionTalk {
  readonly take: (message: PrimeMessage, reading: Reading) => Taken
  readonly tick: (now: number) => readonly Step[]
  /** When `tick` has something to do next, in ms of the monotonic clock; infinity where never. */
  readonly nextDue: () => number
  /** A command went out under this id. */
  readonly sent: (id: string, command: PassiveCommand, now: number) => void
  readonly heard: (now: number) => void
  /** Why the connection ended, as far as the daemon said. */
  readonly endOf: (code: string | undefined) => Ending
  /** Nothing more will be heard: what was under way was not seen to end. */
  readonly cut: () => readonly Activity[]
  readonly facts: () => SessionFacts
  /** What names the session, with all that was told of it so far. */
  readonly session: () => SessionKey
  /** Who answers, or was last known to. */
  readonly supervisor: () => Supervisor | undefined
  /** A hello was heard, on this connection or before it was handed over: whatever comes is of that supervisor. */
  readonly greeted: () => boolean
  readonly streaming: () => boolean
}

export function createSessionTalk(setup: TalkSetup): SessionTalk {
  const talk = talkAt(setup, createActivityTracker(), createStreamingMessage())
  return {
    take(message, reading) {
      const taken = takeMessage(talk, message, reading)
      const told = talk.message.told()
      const {streaming: _, ...facts} = talk.facts
      talk.facts = told === undefined ? facts : {...facts, streaming: told}
      return taken
    },
    tick: (now) => tickOf(talk, now),
    nextDue: () => nextDueOf(talk),
    sent: (id, command, now) => {
      talk.asked.set(id, {what: command.type, at: now})
    },
    heard: (now) => {
      talk.heardAt = now
    },
    endOf: (code) => endOf(talk, code),
    cut() {
      const {streaming: _, ...facts} = talk.facts
      talk.facts = facts
      return talk.activities.cut()
    },
    facts: () => talk.facts,
    session: () => talk.session,
    supervisor: () => talk.supervisor,
    greeted: () => talk.greeted,
    streaming: () => talk.facts.state === 'running',
  }
}

function endOf({closing}: Talk, code: string | undefined): Ending {
  if (closing !== undefined) return {kind: 'daemonClosing', reason: closing}
  return code === undefined ? {kind: 'closed'} : {kind: 'dropped', code}
}

const NOTHING = {activities: [], steps: []} as const

function takeMessage(talk: Talk, message: PrimeMessage, reading: Reading): Taken {
  switch (message.kind) {
    case 'malformed':
      return takeMalformed(talk, message.problem)
    case 'hello':
      return takeHello(talk, message, reading)
    case 'response':
      return takeResponse(talk, message, reading)
    case 'sequenced':
      return takeNumbered(talk, message, message, reading)
    case 'unknown':
      return message.numbered === undefined
        ? {entry: entryOf(message), ...NOTHING}
        : takeNumbered(talk, message, message.numbered, reading)
    case 'replaced':
      return takeReplaced(talk, message, reading)
    case 'resynced':
      return takeResynced(talk, message, reading)
    case 'snapshotBegin':
      return takeBegin(talk, message, reading)
    case 'snapshotChunk':
      return takeChunk(talk, message, reading)
    case 'snapshotEnd':
      return takeEnd(talk, message, reading)
    case 'snapshotFailed':
      return takeFailed(talk, message, reading)
    case 'daemonClosing':
      talk.closing = clip(message.reason ?? 'no reason given')
      return {entry: entryOf(message), ...NOTHING}
    default:
      return {entry: entryOf(message), ...NOTHING}
  }
}

/** What stood in a line that was too long is lost: a whole snapshot tells where the session stands since. */
function takeMalformed(talk: Talk, problem: FrameProblem): Taken {
  if (problem.kind === 'tooLong') askAgain(talk, talk.heardAt)
  return {entry: {problem}, ...NOTHING}
}
