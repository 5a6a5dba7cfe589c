import {err, ok, type Result} from '../../shared/base/result.ts'
import type {Refusal} from '../../shared/source/refusal.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import type {DemoPort} from './demo-port.ts'
import type {Reach} from './source-controller.ts'
import type {SwitchTarget, SwitchTransport} from './switch/transport.ts'
import type {TokenStore} from './tokens.ts'

/** Makes the carrier of a Switch stream: server-sent events over HTTP today. */
export type OpenTransport = (target: SwitchTarget) => SwitchTransport

export interface ReachDeps {
  readonly tokens: TokenStore
  readonly openTransport: OpenTransport
  readonly demo?: DemoPort
}

/** Resolves a source's server and credentials at every start, so that a replaced token or a restarted demo is found. */
export function createReach(record: () => SourceRecord, deps: ReachDeps): () => Promise<Result<Reach, Refusal>> {
  return async () => {
    const {id, settings} = record()
    if (settings.kind === 'demo') return reachDemo(settings.scenario, deps)
    if (settings.kind === 'recording') return err({kind: 'notFound', detail: 'a recording has no server to open'})
    const token = await deps.tokens.get(id)
    if (token === undefined)
      return err({kind: 'credentials', status: 401, detail: 'no token is stored for this source'})
    return ok({transport: deps.openTransport({url: settings.url, agentId: settings.agentId, token})})
  }
}

async function reachDemo(scenario: string, {demo, openTransport}: ReachDeps): Promise<Result<Reach, Refusal>> {
  if (demo === undefined) return err({kind: 'notFound', detail: 'this Tidemark runs without its demo server'})
  try {
    const {target, callbacks} = await demo.start(scenario)
    return ok({transport: openTransport(target), callbacks})
  } catch (cause) {
    return err({kind: 'network', code: 'DEMO', detail: cause instanceof Error ? cause.message : String(cause)})
  }
}
