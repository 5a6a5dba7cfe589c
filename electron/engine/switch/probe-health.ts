import {type Clock, systemClock} from '../clock.ts'
import {bridgeUrl} from './bridge-url.ts'
import {createHttpAgents, readBeginning, sendCall} from './http-request.ts'

/** What answers at `{base}/health`, the one public path of a bridge. */
export type HealthProbe =
  | {readonly kind: 'bridge'}
  /** 401: a bridge is on this host, but not at this path. */
  | {readonly kind: 'wrongPath'}
  /** Something answers that is no bridge, or (a gateway) not the bridge itself. */
  | {readonly kind: 'notABridge'; readonly status: number}
  | {readonly kind: 'noAnswer'; readonly code: string; readonly detail: string}

/** Asks a URL whether it is a bridge's. */
export type ProbeHealth = (url: string, signal: AbortSignal) => Promise<HealthProbe>

const HEALTH_MS = 5_000

/** Asks without a token: whether a URL is a bridge's must be known before the token goes there. */
export async function probeHealth(
  url: string,
  signal: AbortSignal,
  clock: Clock = systemClock(),
): Promise<HealthProbe> {
  const health = bridgeUrl(url, ['health'])
  if (!health.ok) return {kind: 'noAnswer', code: 'ERR_INVALID_URL', detail: health.error}
  const call = {method: 'GET', url: health.value, headers: {accept: 'application/json'}, headMs: HEALTH_MS} as const
  const answer = await sendCall({agents: createHttpAgents(), clock}, call, signal)
  if (!answer.ok) return {kind: 'noAnswer', code: answer.error.code, detail: answer.error.detail}
  const status = answer.value.statusCode ?? 0
  void readBeginning(answer.value, {bytes: 1024, ms: 1_000}, clock)
  if (status === 200) return {kind: 'bridge'}
  return status === 401 ? {kind: 'wrongPath'} : {kind: 'notABridge', status}
}
