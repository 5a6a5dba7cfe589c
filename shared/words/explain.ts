import type {Ending, StopReason} from '../source/source-machine.ts'
import {explainBeatRefusal, explainRefusal, networkWords} from './explain-refusal.ts'
import {type Explanation, type Words, withSaid} from './explanation.ts'

/** Why a connection is as it is: an ending, or that nothing was begun. */
export type AnyEnding = StopReason

/** Why a stream ended or is not open. */
export function explainEnding(because: AnyEnding): Explanation {
  switch (because.kind) {
    case 'refused':
      return explainRefusal(because.refusal)
    case 'beatRefused':
      return explainBeatRefusal(because.refusal)
    case 'evicted':
      return evicted(because)
    case 'dropped':
      return {...ENDINGS.dropped, title: `The connection broke: ${networkWords(because.code)}`}
    case 'storeFailed':
    case 'tokensUnreadable':
    case 'noServer':
    case 'unsupportedDaemon':
    case 'workerGone':
    case 'attachFailed':
    case 'notReached':
    case 'fileUnreadable':
    case 'resumeRefused':
    case 'futureCursor':
      return withSaid(ENDINGS[because.kind], because.detail)
    case 'noFile':
      return noFile(because.path)
    case 'daemonClosing':
    case 'sessionClosed':
      return withSaid(ENDINGS[because.kind], because.reason)
    case 'sessionReplaced':
      return because.removed === true ? REPLACED_BY_REMOVED : ENDINGS.sessionReplaced
    default:
      return ENDINGS[because.kind]
  }
}

const REPLACED_BY_REMOVED: Words = {
  title: 'The session was replaced by one that you removed',
  detail: 'The same activation goes on under a session whose source you removed: it is not watched.',
  whatToDo: 'Add that session again if you want to watch it.',
}

const ENDINGS: {readonly [K in Exclude<AnyEnding['kind'], 'refused' | 'beatRefused' | 'evicted' | 'noFile'>]: Words} = {
  asked: {
    title: 'Paused by you',
    detail: 'Nothing is read. The position stays where it is.',
    whatToDo: 'Resume when you want to go on from there.',
  },
  closedWithApp: {
    title: 'Not running: Tidemark was closed',
    detail: 'Nobody watched from then on. What the server did meanwhile is not known.',
    whatToDo: 'Nothing is to be done: the next start goes on from the acknowledged position.',
  },
  noToken: {
    title: 'No token is stored for this source',
    detail: 'Nothing was asked of the bridge, and nothing is until there is one.',
    whatToDo: 'Enter the agent’s token in the source’s settings.',
  },
  tokensUnreadable: {
    title: 'The place where tokens are kept cannot be read',
    detail: 'Nothing was asked of the bridge, and what is kept there was left as it is.',
    whatToDo: 'Mend it or move it away, then enter the token again.',
  },
  noServer: {
    title: 'There is no server to open',
    detail: 'Nothing is read. The position and the history stay.',
    whatToDo: 'Of a recording, nothing: it was read whole. The demo can be started again with “+ Source”.',
  },
  notStarted: {
    title: 'Not started yet',
    detail: 'Nothing is read by this run of Tidemark so far. The position stays where it is.',
    whatToDo: 'Nothing is to be done, unless it stays so: then resume it.',
  },
  closed: {
    title: 'The server ended the stream in good order',
    detail: 'Tidemark opens it again from the acknowledged position after a pause.',
    whatToDo: 'Nothing is to be done.',
  },
  dropped: {
    title: 'The connection broke',
    detail: 'Tidemark opens it again from the acknowledged position after a pause.',
    whatToDo: 'Nothing is to be done, unless it goes on for long.',
  },
  silent: {
    title: 'No byte came for longer than a living bridge stays silent',
    detail: 'Tidemark gave the connection up and opens a new one from the acknowledged position.',
    whatToDo: 'If it comes again and again, look for a proxy in between that holds data back.',
  },
  rejected: {
    title: 'The callback rejected a frame',
    detail: 'The position stays before it. The frame runs once more; its effect may then have run twice.',
    whatToDo: 'Look at the error of the attempt.',
  },
  malformed: {
    title: 'A frame could not be understood',
    detail: 'The position stays before it and no callback ran. The stream is opened again from there.',
    whatToDo: 'Look at its bytes: the bridge sent something wrong, or Tidemark does not know this form yet.',
  },
  asleep: {
    title: 'This machine slept',
    detail:
      'What hangs on the old connection is not known, so Tidemark opens a new one from the acknowledged position.',
    whatToDo: 'Nothing is to be done.',
  },
  noDaemon: {
    title: 'Prime Agent’s daemon does not run',
    detail: 'Nothing listens on its socket. Tidemark looks again now and then; it starts nothing and removes nothing.',
    whatToDo: 'Nothing is to be done: it is found when it runs. If it does run, check the path of its socket.',
  },
  unsupportedDaemon: {
    title: 'This daemon speaks a protocol that Tidemark does not know',
    detail: 'Nothing was sent to it.',
    whatToDo: 'Look for a newer Tidemark.',
  },
  daemonClosing: {
    title: 'The daemon said that it closes',
    detail: 'It may be back in seconds or stay away. Tidemark goes on looking.',
    whatToDo: 'Nothing is to be done.',
  },
  notResident: {
    title: 'The daemon does not hold this session now',
    detail: 'It is not running there, or it belongs to another client and cannot be watched. Its history stays.',
    whatToDo: 'Nothing is to be done: when it is opened again it is watched again.',
  },
  workerGone: {
    title: 'Worker gone, no close sent',
    detail: 'The session’s process ended without a word; Tidemark found that by asking. What it did last is not known.',
    whatToDo: 'Open the session again in Prime Agent: it goes on under a new generation.',
  },
  sessionClosed: {
    title: 'The session was closed',
    detail: 'The daemon said so. Its position and its history stay.',
    whatToDo: 'Nothing is to be done: when it is opened again it is watched again.',
  },
  sessionReplaced: {
    title: 'The session was replaced by another one',
    detail: 'The same activation goes on under another session, which is a source of its own.',
    whatToDo: 'Look at the other source.',
  },
  attachFailed: {
    title: 'The daemon let nobody attach to this session',
    detail: 'Nothing is read. Tidemark tries again after a pause.',
    whatToDo: 'Nothing is to be done, unless it goes on for long.',
  },
  idle: {
    title: 'Left alone: nothing happened in this session for 15 minutes',
    detail: 'A client that stays attached keeps the session’s worker alive, so Tidemark left.',
    whatToDo: 'Nothing is to be done: it is watched again when something happens there, or when you resume it.',
  },
  notReached: {
    title: 'The server is not reached',
    detail: 'Nothing is read. Tidemark tries again after a pause, from the acknowledged cursor.',
    whatToDo: 'Check that it runs, and the address in the source’s settings.',
  },
  fileUnreadable: {
    title: 'The file cannot be read',
    detail: 'It is there, and nothing of it is read. Tidemark tries again after a pause, from the acknowledged cursor.',
    whatToDo: 'Check that it is a file which this user may read.',
  },
  resumeRefused: {
    title: 'The server refused how it was asked to go on',
    detail: 'Nothing is read. Asking again would be refused again, so Tidemark stopped.',
    whatToDo: 'Compare how this source asks for a resume with what the server takes, and change its settings.',
  },
  futureCursor: {
    title: 'Our cursor is ahead of everything the server knows',
    detail: 'It is not called caught up: nothing is read, and the cursor stays where it is.',
    whatToDo: 'Find out whether the server runs with its own store; resume when it does.',
  },
  numberingReset: {
    title: 'The server numbers anew, below our cursor: its store was lost or replaced',
    detail: 'The cursor stays, and nothing is read until you decide.',
    whatToDo: 'Take the new numbering, or keep the old one and ask the server again once its store is back.',
  },
  storeFailed: {
    title: 'The disk refused to keep what came',
    detail: 'Nothing more is read until it takes a commit again. The position does not move past what is durable.',
    whatToDo: 'Free some space, or make the profile’s folder writable.',
  },
}

function evicted({code, reason, terminal}: Extract<Ending, {kind: 'evicted'}>): Explanation {
  if (terminal)
    return withSaid(
      {
        title: 'Evicted: another stream has taken over this connection',
        detail: 'Stopped; reopening would itself be a takeover.',
        whatToDo: 'Choose “Continue with a new connection” if both are meant to watch.',
      },
      reason,
    )
  if (code === 'heartbeat_lapsed')
    return withSaid(
      {
        title: 'Evicted: the bridge heard no heartbeat in time',
        detail: 'Tidemark opens the stream again from the acknowledged position.',
        whatToDo:
          'Nothing is to be done, unless it comes again: then this machine or the way to the bridge is too slow.',
      },
      reason,
    )
  return withSaid(
    {
      title: `Evicted by the bridge (${code === '' ? 'without a code' : code})`,
      detail: 'Tidemark opens the stream again from the acknowledged position after a pause.',
      whatToDo: 'Nothing is to be done, unless it goes on for long.',
    },
    reason,
  )
}

function noFile(path: string): Explanation {
  return {
    title: 'The file does not exist (yet)',
    detail: `There is nothing at ${path}. Tidemark looks for it again after a pause, and then goes on behind the acknowledged cursor.`,
    whatToDo: 'Nothing is to be done, if it is still to be written; else check the path in the source’s settings.',
  }
}

/** All of it as one line, for a terminal or a log. */
export function inOneLine({title, detail, whatToDo, said}: Explanation): string {
  const heard = said === undefined ? '' : ` It said: ${said}.`
  return `${title}.${heard} ${detail} ${whatToDo}`
}
