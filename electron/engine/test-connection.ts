import type {ConnectionTest} from '../../shared/contract/contract.ts'
import {classifySwitchFrame} from '../../shared/frames/classify-switch-frame.ts'
import {readConnectionState} from '../../shared/source/connection-state.ts'
import type {Clock} from './clock.ts'
import type {OpenStream, SwitchTransport} from './switch/transport.ts'

/** A server that introduces no connection within this time, in ms, is none. */
const PATIENCE_MS = 10_000

/**
 * Opens a stream under an id of its own, reads how the server introduces it, and closes it again. It asks from `head`, so
 * nothing is replayed; the server counts the connection until its time to live ends, some 6 s later.
 */
export async function testConnection(
  transport: SwitchTransport,
  agentId: string,
  clock: Clock,
): Promise<ConnectionTest> {
  const over = new AbortController()
  try {
    const opened = await transport.open({connectionId: clock.uuid(), from: 'head'}, over.signal)
    if (!opened.ok) return {kind: 'refused', refusal: opened.error}
    const late = clock.wait(PATIENCE_MS, over.signal).then(() => SILENT)
    return await Promise.race([introduction(opened.value, agentId), late])
  } finally {
    over.abort()
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
    ...(state.agentId === undefined ? {} : {agentId: state.agentId, sameAgent: state.agentId === agentId}),
    ...(state.protocol === undefined ? {} : {protocol: state.protocol}),
    ...(state.serverVersion === undefined ? {} : {serverVersion: state.serverVersion}),
  }
}
