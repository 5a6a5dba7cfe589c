import {err, ok, type Result} from '../../../shared/base/result.ts'
import type {BeatRequest, OpenRequest, SwitchTarget} from './transport.ts'

/** A path below the bridge's base URL, however many slashes that ends in. A user, a query or a fragment in the base is dropped. */
export function bridgeUrl(base: string, path: readonly string[]): Result<URL, string> {
  const url = URL.parse(base.trim())
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return err('not an http or https URL')
  // A URL parser takes dots for a way up, however they are escaped; half of a surrogate pair has no escape at all.
  if (path.some((step) => ['', '.', '..'].includes(step) || !step.isWellFormed()))
    return err('an agent id that no path can hold')
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  url.pathname = [url.pathname.replace(/\/+$/, ''), ...path.map(encodeURIComponent)].join('/')
  return ok(url)
}

/**
 * Where a stream is opened. Exactly what a passive observer must say and nothing else: no room is claimed, no protocol
 * and no client declared, nothing can be spawned (Switch note, section 2).
 */
export function openUrl(target: SwitchTarget, request: OpenRequest): Result<URL, string> {
  const url = bridgeUrl(target.url, ['agents', target.agentId, 'events'])
  if (!url.ok) return url
  const {searchParams} = url.value
  searchParams.set('connection_id', request.connectionId)
  searchParams.set('scope', 'all')
  searchParams.set('filter', 'all')
  searchParams.set('start_from', String(request.from))
  if (request.expectedGeneration !== undefined)
    searchParams.set('expected_generation', String(request.expectedGeneration))
  return url
}

/** `Last-Event-ID` wins over `start_from`, and older servers refuse anything in it but a plain decimal (or `head`, which means nothing there). */
export function openHeaders({from}: OpenRequest): Readonly<Record<string, string>> {
  return {
    accept: 'text/event-stream',
    'cache-control': 'no-cache',
    ...(typeof from === 'number' ? {'last-event-id': String(from)} : {}),
  }
}

export function beatUrl(target: SwitchTarget): Result<URL, string> {
  return bridgeUrl(target.url, ['agents', target.agentId, 'connection', 'beat'])
}

export function beatBody({connectionId, cursor, generation}: BeatRequest): string {
  return JSON.stringify({connection_id: connectionId, cursor, ...(generation === undefined ? {} : {generation})})
}
