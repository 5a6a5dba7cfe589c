import {afterBeatRefused, afterOpenRefused, type Refusal} from '../source/refusal.ts'
import {type Explanation, type Words, withSaid} from './explanation.ts'

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

/** A refused heartbeat: what an answer means for a stream that was open is not what it means for one that was asked for. */
export function explainBeatRefusal(refusal: Refusal): Explanation {
  const [title, whatToDo] = beatTexts(refusal)
  return withSaid({title: `Heartbeat refused. ${title}`, detail: afterBeat(refusal), whatToDo}, refusal.detail)
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
      // A 401 to a question with the token is a refusal of it; this one is to the public question whether a bridge is there.
      if (refusal.status === 401) return WRONG_PATH
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

/** Switch note, section 1. */
const WRONG_PATH: TitleAndRemedy = [
  '401 from this address: no bridge is served under this path',
  'The host may be right and the path wrong: compare the bridge URL with the one that the agent uses.',
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

/** Switch note, section 8. */
function beatTexts(refusal: Refusal): TitleAndRemedy {
  switch (refusal.kind) {
    case 'notFound':
      return [
        '404 from the bridge: it holds this connection as open no longer',
        'Nothing, unless it comes again: then this machine sleeps, or the way to the bridge is too slow for its heartbeats.',
      ]
    case 'conflict':
      return [
        '409 from the bridge: no stream of this connection is attached there, or another one is than ours',
        'Nothing, unless it comes again: then look for a proxy in between that ends or holds back connections.',
      ]
    default:
      return refusalTexts(refusal)
  }
}

function afterBeat(refusal: Refusal): string {
  switch (afterBeatRefused(refusal)) {
    case 'stop':
      return afterOpen(refusal)
    case 'reopen':
      return 'Tidemark opens the stream again from the acknowledged position, after a pause.'
    case 'slower':
      return 'Tidemark goes on beating, with a longer pause each time.'
  }
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
export function networkWords(code: string): string {
  const meaning = NETWORK_CODES.get(code)
  return meaning === undefined ? code : `${meaning} (${code})`
}

const NO_TLS = 'what answers there does not speak TLS: is it http?'
const UNKNOWN_ISSUER = 'nobody known here vouches for its certificate'

const NETWORK_CODES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection was cut'],
  ['ENOTFOUND', 'the name is not known'],
  ['EAI_AGAIN', 'the name could not be looked up now'],
  ['ETIMEDOUT', 'it took too long'],
  ['EHOSTUNREACH', 'the machine cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['EPROTO', NO_TLS],
  ['ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NO_TLS],
  ['HPE_INVALID_CONSTANT', 'what answers there does not speak HTTP: is it https?'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_ISSUER],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_ISSUER],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_ISSUER],
  ['UND_ERR_HEADERS_TIMEOUT', 'it accepted the connection and then stayed silent'],
])
