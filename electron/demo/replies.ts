import type {RefusalStatus, Revision} from './scenario.ts'

/** A whole HTTP answer. */
export interface Reply {
  readonly status: number
  /** Absent on the bridge's plain-text 401. */
  readonly contentType?: string
  readonly body: string
}

export function json(status: number, value: unknown): Reply {
  return {status, contentType: 'application/json', body: JSON.stringify(value)}
}

/** The usual shape of a refusal: `{"detail": …}`. */
export function refusal(status: number, detail: unknown): Reply {
  return json(status, {detail})
}

export const NO_AUTHORIZATION: Reply = {status: 401, body: 'Missing or invalid Authorization header'}
export const BAD_TOKEN: Reply = {status: 401, body: 'Invalid credentials'}
export const NOT_FOUND: Reply = refusal(404, 'Not Found')

export function notOpen(status: 404 | 409, connectionId: string): Reply {
  return refusal(status, `connection ${connectionId} is not open; reconnect and resume from your cursor`)
}

export function takenOver(): Reply {
  return refusal(409, {code: 'taken_over', message: 'another stream holds this connection now'})
}

export function noStream(revision: Revision, connectionId: string): Reply {
  const message = `connection ${connectionId} has no stream attached; reopen the event stream`
  return refusal(409, revision === 'r1' ? message : {code: 'no_stream', message})
}

export function tooManyConnections(agentId: string, cap: number): Reply {
  return refusal(409, `agent ${agentId} already has ${cap} open connections; close one before opening another`)
}

/** What a scenario refuses with; the bodies have the shapes of section 9 of the Switch note. */
export function plannedRefusal(status: RefusalStatus): Reply {
  switch (status) {
    case 401:
      return BAD_TOKEN
    case 403:
      return refusal(403, 'Agent is not a member of this room')
    case 404:
      return NOT_FOUND
    case 409:
      return takenOver()
    case 410:
      return refusal(410, {code: 'transport_removed', message: 'this server speaks only the WebSocket now'})
    case 429:
      return refusal(429, 'too many requests')
    default:
      return {status, contentType: 'text/html', body: '<html><head><title>Service unavailable</title></head></html>'}
  }
}
