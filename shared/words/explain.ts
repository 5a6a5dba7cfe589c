import {assertNever} from '../base/assert-never.ts'
import type {FrameProblem} from '../frames/frame.ts'
import {afterBeatRefused, afterOpenRefused, type Refusal} from '../source/refusal.ts'
import type {Ending, StopReason} from '../source/source-machine.ts'

/** A failure in words for people. The only place that has them. */
export interface Explanation {
  /** What happened. */
  readonly title: string
  /** What Tidemark does about it. */
  readonly detail: string
  /** What the user can do. */
  readonly whatToDo: string
  /** What the other side said, as sent; absent where it said nothing. */
  readonly said?: string
}

export type Words = Omit<Explanation, 'said'>

/** A refused open. */
export function explainRefusal(refusal: Refusal): Explanation {
  return withSaid(refusalWords(refusal), refusal.detail)
}

/** The same of a trial before anything was saved: nothing runs, so there is nothing that Tidemark does about it. */
export function explainTrialRefusal(refusal: Refusal): Explanation {
  const {title, whatToDo} = refusalWords(refusal)
  return withSaid(
    {
      title,
      detail: 'Nothing was saved, and no connection stays open.',
      whatToDo:
        refusal.kind === 'credentials'
          ? 'Check the token: it must be an agent’s API key, not a registration token.'
          : whatToDo,
    },
    refusal.detail,
  )
}

function refusalWords(refusal: Refusal): Words {
  const [title, whatToDo] = refusalTexts(refusal)
  return {title, detail: afterOpen(refusal), whatToDo}
}

type TitleAndRemedy = readonly [title: string, whatToDo: string]

function refusalTexts(refusal: Refusal): TitleAndRemedy {
  switch (refusal.kind) {
    case 'credentials':
      return refusal.status === 401 ? UNKNOWN_TOKEN : FORBIDDEN_TOKEN
    case 'protocolMismatch': {
      const [title, whatToDo] = CONFLICTS.protocolMismatch
      return [title, refusal.remedy === undefined ? whatToDo : `The bridge proposes: ${refusal.remedy}`]
    }
    case 'unavailable':
      return [
        `${refusal.status} from the bridge: ${refusal.status === 429 ? 'too many requests' : 'it cannot serve now'}`,
        'Nothing, unless it goes on for long: then look at the bridge’s own log.',
      ]
    case 'unexpected':
      return [
        `${refusal.status} from this address: not the answer of an agent bridge`,
        'Check the bridge URL; a proxy, a login page or another service may be answering there.',
      ]
    case 'network':
      return [
        `No answer from the bridge: ${networkWords(refusal.code)}`,
        'Check that the bridge runs and that this machine can reach its address.',
      ]
    default:
      return CONFLICTS[refusal.kind]
  }
}

const UNKNOWN_TOKEN: TitleAndRemedy = [
  '401 from the bridge: the token was refused',
  'Replace it in the source’s settings. It must be an agent’s API key, not a registration token.',
]

const FORBIDDEN_TOKEN: TitleAndRemedy = [
  '403 from the bridge: the token is known but not allowed to watch here',
  'Use the token of an agent that may, and replace it in the source’s settings.',
]

type PlainRefusal = Exclude<Refusal['kind'], 'credentials' | 'unavailable' | 'unexpected' | 'network'>

/** A mapped type: a new kind of refusal stops the compile here. */
const CONFLICTS: {readonly [K in PlainRefusal]: TitleAndRemedy} = {
  badRequest: [
    '400 from the bridge: it did not take one of the parameters',
    'Compare the version of the bridge with those that Tidemark knows, and report what it said.',
  ],
  notFound: [
    '404 from the bridge: nothing is served at this address',
    'Check the bridge URL: it is usually not the operator’s page. A path before /agents may be missing or doubled.',
  ],
  connectionCap: [
    '409 from the bridge: the agent already holds all the connections it may',
    'Close a connection that is no longer needed, or wait until an abandoned one has lapsed.',
  ],
  foreignConnectionId: [
    '409 from the bridge: this connection id belongs to another agent',
    'Nothing, unless it comes again: then check whose token this source has.',
  ],
  takenOver: [
    '409 from the bridge: another stream has taken over this connection',
    'Choose “Continue with a new connection” in the source’s settings if both are meant to watch.',
  ],
  protocolMismatch: [
    '409 from the bridge: it speaks no protocol version that Tidemark speaks',
    'Update Tidemark or the bridge, whichever is older.',
  ],
  conflict: ['409 from the bridge: the request conflicts with what it holds', 'Nothing, unless it goes on for long.'],
  transportRemoved: [
    '410 from the bridge: it no longer sends server-sent events, only a WebSocket',
    'Update Tidemark to a version that speaks the WebSocket.',
  ],
  invalidParameter: [
    '422 from the bridge: a parameter failed its validation',
    'This is a fault of Tidemark: please report it with what the bridge said.',
  ],
}

function afterOpen(refusal: Refusal): string {
  switch (afterOpenRefused(refusal)) {
    case 'stop':
      return refusal.kind === 'credentials'
        ? 'Stopped; a retry would send the same token.'
        : refusal.kind === 'takenOver'
          ? 'Stopped; reopening would take the connection back from the other one.'
          : 'Stopped; a retry would ask the same and be refused again.'
    case 'newConnectionId':
      return 'Tidemark makes itself a new id and opens again.'
    case 'retry':
      return 'Tidemark tries again by itself, each time after a longer pause, at most 30 s.'
  }
}

/** The system's code, kept, with its meaning where it is a common one. */
function networkWords(code: string): string {
  const meaning = NETWORK_CODES.get(code)
  return meaning === undefined ? code : `${meaning} (${code})`
}

const NETWORK_CODES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection was cut'],
  ['ENOTFOUND', 'the name is not known'],
  ['EAI_AGAIN', 'the name could not be looked up now'],
  ['ETIMEDOUT', 'it took too long'],
  ['EHOSTUNREACH', 'the machine cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
  ['UND_ERR_HEADERS_TIMEOUT', 'it accepted the connection and then stayed silent'],
])

/** Why a connection is as it is: an ending, or that nothing was begun. */
export type AnyEnding = StopReason

/** Why a stream ended or is not open. */
export function explainEnding(because: AnyEnding): Explanation {
  switch (because.kind) {
    case 'refused':
      return explainRefusal(because.refusal)
    case 'beatRefused':
      return beatRefused(because.refusal)
    case 'evicted':
      return evicted(because)
    case 'dropped':
      return {...ENDINGS.dropped, title: `The connection broke: ${networkWords(because.code)}`}
    case 'storeFailed':
    case 'tokensUnreadable':
    case 'noServer':
      return withSaid(ENDINGS[because.kind], because.detail)
    default:
      return ENDINGS[because.kind]
  }
}

const ENDINGS: {readonly [K in Exclude<AnyEnding['kind'], 'refused' | 'beatRefused' | 'evicted'>]: Words} = {
  asked: {
    title: 'Paused by you',
    detail: 'Nothing is read. The position stays where it is.',
    whatToDo: 'Resume when you want to go on from there.',
  },
  closedWithApp: {
    title: 'Tidemark was closed',
    detail: 'Nobody watched. What the server did meanwhile is not known.',
    whatToDo: 'Nothing: it goes on from the acknowledged position.',
  },
  noToken: {
    title: 'No token is stored for this source',
    detail: 'Nothing was asked of the bridge.',
    whatToDo: 'Enter the agent’s token in the source’s settings.',
  },
  tokensUnreadable: {
    title: 'The file with the tokens cannot be read',
    detail: 'Nothing was asked of the bridge, and the file was left as it is.',
    whatToDo: 'Mend or move away tokens.json in the profile’s folder, then enter the token again.',
  },
  noServer: {
    title: 'There is no server to open',
    detail: 'Nothing is read. The history stays.',
    whatToDo: 'Nothing.',
  },
  notStarted: {
    title: 'Not started yet',
    detail: 'Nothing was asked of the bridge so far.',
    whatToDo: 'Resume to start it.',
  },
  closed: {
    title: 'The bridge ended the stream in good order',
    detail: 'Tidemark opens it again from the acknowledged position after a pause.',
    whatToDo: 'Nothing.',
  },
  dropped: {
    title: 'The connection broke',
    detail: 'Tidemark opens it again from the acknowledged position after a pause.',
    whatToDo: 'Nothing, unless it goes on for long.',
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
    whatToDo: 'Nothing.',
  },
  storeFailed: {
    title: 'The disk refused to keep what came',
    detail: 'Nothing more is read until it takes a commit again. The position does not move past what is durable.',
    whatToDo: 'Free some space, or make the profile’s folder writable.',
  },
}

function beatRefused(refusal: Refusal): Explanation {
  const {title, detail, whatToDo} = refusalWords(refusal)
  const after = afterBeatRefused(refusal)
  const does =
    after === 'stop'
      ? detail
      : after === 'reopen'
        ? 'Tidemark opens the stream again from the acknowledged position.'
        : 'Tidemark goes on beating, with a longer pause each time.'
  return withSaid({title: `Heartbeat refused. ${title}`, detail: does, whatToDo}, refusal.detail)
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
        whatToDo: 'Nothing, unless it comes again: then this machine or the way to the bridge is too slow.',
      },
      reason,
    )
  return withSaid(
    {
      title: `Evicted by the bridge (${code === '' ? 'without a code' : code})`,
      detail: 'Tidemark opens the stream again from the acknowledged position after a pause.',
      whatToDo: 'Nothing, unless it goes on for long.',
    },
    reason,
  )
}

/** Why a frame was refused before any callback. */
export function explainProblem(problem: FrameProblem): Explanation {
  const detail = 'No callback ran and the position did not move. The bytes are kept as they came.'
  switch (problem.kind) {
    case 'notJson':
      return withSaid(
        {title: 'Malformed: the data is not JSON', detail, whatToDo: 'Look at the bytes for what broke it.'},
        problem.detail,
      )
    case 'notAnObject':
      return {
        title: 'Malformed: the data is JSON but not an object',
        detail,
        whatToDo: 'Every frame of this stream carries an object; report it to whoever runs the bridge.',
      }
    case 'badPosition':
      return {
        title: `Malformed: the position in ${problem.field === 'id' ? 'the frame’s id' : '“position”'} has a coordinate that is no sequence`,
        detail: `One bad coordinate refuses the whole frame. ${detail}`,
        whatToDo: 'A sequence is a whole number from 0 to 9007199254740991; look for the one that is not.',
      }
    case 'badGap':
      return {
        title: `Malformed gap: “${problem.field}” is present but invalid`,
        detail: `The replacement was not applied. ${detail}`,
        whatToDo:
          'Something was lost before this point, but where the stream goes on is not known. Ask whoever runs the bridge.',
      }
    case 'tooLong':
      return {
        title: `Malformed: longer than ${problem.capBytes} bytes without an end`,
        detail: 'No callback ran and the position did not move. Its bytes were dropped up to the next blank line.',
        whatToDo: 'Find out what sends a frame of this size.',
      }
    default:
      return assertNever(problem)
  }
}

/** Adds what the other side said, where it said something. */
export function withSaid(words: Words, said: string): Explanation {
  return said === '' ? words : {...words, said}
}

/** All of it as one line, for a terminal or a log. */
export function inOneLine({title, detail, whatToDo, said}: Explanation): string {
  const heard = said === undefined ? '' : ` It said: ${said}.`
  return `${title}.${heard} ${detail} ${whatToDo}`
}
