/** How a bridge answered an open or a beat with anything but success. Decoded defensively: `detail` may be text, an object or an array. */
export type Refusal =
  /** 400: a parameter is not what the server takes. */
  | {readonly kind: 'badRequest'; readonly detail: string}
  /** 401, and 403 where no room was declared: every retry would carry the same token. */
  | {readonly kind: 'credentials'; readonly status: 401 | 403; readonly detail: string}
  /** 404: nothing is served at this path, or (a beat's) the connection is not open. */
  | {readonly kind: 'notFound'; readonly detail: string}
  /** 409: the agent already holds the 32 connections it may. */
  | {readonly kind: 'connectionCap'; readonly detail: string}
  /** 409 on an open: this connection id belongs to another agent. */
  | {readonly kind: 'foreignConnectionId'; readonly detail: string}
  /** 409: another stream holds this connection now; reopening would take it back. */
  | {readonly kind: 'takenOver'; readonly detail: string}
  /** 409: no common protocol version. */
  | {readonly kind: 'protocolMismatch'; readonly detail: string; readonly remedy?: string}
  /** 409 without a code we know: recoverable. A beat's `no_stream` and `unfenced` too. */
  | {readonly kind: 'conflict'; readonly detail: string}
  /** 410: this server speaks only the WebSocket now. */
  | {readonly kind: 'transportRemoved'; readonly detail: string}
  /** 422: a parameter failed validation; a fault of this client. */
  | {readonly kind: 'invalidParameter'; readonly detail: string}
  /** 429 and 5xx. */
  | {readonly kind: 'unavailable'; readonly status: number; readonly detail: string}
  /** Any other status, a redirect, or a body that is no event stream. */
  | {readonly kind: 'unexpected'; readonly status: number; readonly detail: string}
  /** No answer: refused, reset, unresolved, timed out. `code` is the system's word, such as ECONNREFUSED. */
  | {readonly kind: 'network'; readonly code: string; readonly detail: string}

/** What to do after an open was refused (Switch note, section 9). */
export type AfterRefusal = 'stop' | 'retry' | 'newConnectionId'

export function afterOpenRefused(refusal: Refusal): AfterRefusal {
  switch (refusal.kind) {
    case 'credentials':
    case 'takenOver':
    case 'transportRemoved':
    case 'protocolMismatch':
    case 'badRequest':
    case 'invalidParameter':
      return 'stop'
    case 'foreignConnectionId':
      return 'newConnectionId'
    default:
      return 'retry'
  }
}

/** What to do after a beat was refused (Switch note, section 8). `slower`: beat again, with a longer pause. */
export function afterBeatRefused(refusal: Refusal): 'stop' | 'reopen' | 'slower' {
  switch (refusal.kind) {
    case 'credentials':
    case 'takenOver':
    case 'invalidParameter':
      return 'stop'
    case 'notFound':
    case 'conflict':
    case 'foreignConnectionId':
    case 'connectionCap':
    case 'protocolMismatch':
      return 'reopen' // the open is where the server says what is the matter
    default:
      return 'slower'
  }
}
