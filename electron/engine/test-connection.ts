import {assertNever} from '../../shared/base/assert-never.ts'
import type {ConnectionTest} from '../../shared/contract/contract.ts'
import {classifySwitchFrame} from '../../shared/frames/classify-switch-frame.ts'
import {readConnectionState} from '../../shared/source/connection-state.ts'
import {oneLine} from '../../shared/source/one-line.ts'
import type {Refusal} from '../../shared/source/refusal.ts'
import type {EngineDeps} from './engine-deps.ts'
import type {HealthProbe} from './switch/probe-health.ts'
import type {OpenStream, SwitchTarget} from './switch/transport.ts'

/** A server that introduces no connection within this time, in ms, is none. */
const PATIENCE_MS = 10_000

/**
 * Asks without the token whether the URL is a bridge's at all: a token is a full credential, and a URL is typed by hand. Then
 * opens a stream under an id of its own, reads how the server introduces it, and closes it again. It asks from `head`, so
 * nothing is replayed; the server counts the connection until its time to live ends, some 6 s later.
 */
export async function testConnection(
  target: SwitchTarget,
  {clock, openTransport, probeHealth}: Pick<EngineDeps, 'clock' | 'openTransport' | 'probeHealth'>,
): Promise<ConnectionTest> {
  const over = new AbortController()
  try {
    const found = await probeHealth?.(target.url, over.signal)
    const noBridge = found === undefined ? undefined : refusalOf(found)
    if (noBridge !== undefined) return {kind: 'refused', refusal: noBridge}
    const opened = await openTransport(target).open({connectionId: clock.uuid(), from: 'head'}, over.signal)
    if (!opened.ok) return {kind: 'refused', refusal: opened.error}
    const late = clock.wait(PATIENCE_MS, over.signal).then(() => SILENT)
    return await Promise.race([introduction(opened.value, target.agentId), late])
  } finally {
    over.abort()
  }
}

/** What to say of a URL that is no bridge's; `undefined` of one that is. */
function refusalOf(found: HealthProbe): Refusal | undefined {
  switch (found.kind) {
    case 'bridge':
      return undefined
    case 'wrongPath':
      return {kind: 'unexpected', status: 401, detail: '401 from /health'}
    case 'notABridge':
      return {kind: 'unexpected', status: found.status, detail: `${found.status} from /health`}
    case 'noAnswer':
      return {kind: 'network', code: found.code, detail: found.detail}
    default:
      return assertNever(found)
  }
}

const SILENT: ConnectionTest = {
  kind: 'refused',
  refusal: {
    kind: 'unexpected',
    status: 200,
    detail: 'the stream opened, but the server did not introduce the connection',
  },
}

async function introduction(stream: OpenStream, agentId: string): Promise<ConnectionTest> {
  for (;;) {
    const next = await stream.batches.next()
    if (next.done) return SILENT
    for (const arrival of next.value) {
      if (arrival.kind !== 'frame' || arrival.frame.event !== 'connection_state') return SILENT
      const frame = classifySwitchFrame(arrival.frame)
      return frame.ok ? reached(frame.value.data, agentId) : SILENT
    }
  }
}

function reached(data: Parameters<typeof readConnectionState>[0], agentId: string): ConnectionTest {
  const state = readConnectionState(data)
  return {
    kind: 'reached',
    ...(state.agentId === undefined ? {} : {agentId: oneLine(state.agentId), sameAgent: state.agentId === agentId}),
    ...(state.protocol === undefined ? {} : {protocol: state.protocol}),
    ...(state.serverVersion === undefined ? {} : {serverVersion: state.serverVersion}),
  }
}
