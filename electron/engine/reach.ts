import {messageOf} from '../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import type {SourceId, SourceRecord} from '../../shared/source/source.ts'
import type {Ending} from '../../shared/source/source-machine.ts'
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
export function createReach(record: () => SourceRecord, deps: ReachDeps): () => Promise<Result<Reach, Ending>> {
  return async () => {
    const {id, settings} = record()
    if (settings.kind === 'demo') return reachDemo(settings.scenario, deps)
    if (settings.kind === 'recording') return noServer('a recording')
    if (settings.kind === 'prime') return noServer('a daemon')
    const token = await readToken(id, deps)
    if (!token.ok) return token
    return ok({transport: deps.openTransport({url: settings.url, agentId: settings.agentId, token: token.value})})
  }
}

async function readToken(id: SourceId, {tokens}: ReachDeps): Promise<Result<string, Ending>> {
  try {
    const token = await tokens.get(id)
    return token === undefined ? err({kind: 'noToken'}) : ok(token)
  } catch (cause) {
    return err({kind: 'tokensUnreadable', detail: messageOf(cause)})
  }
}

async function reachDemo(scenario: string, {demo, openTransport}: ReachDeps): Promise<Result<Reach, Ending>> {
  if (demo === undefined) return noServer('this Tidemark runs without its demo server')
  try {
    const {target, callbacks} = await demo.start(scenario)
    return ok({transport: openTransport(target), callbacks})
  } catch (cause) {
    return noServer(messageOf(cause))
  }
}

function noServer(detail: string): Result<never, Ending> {
  return err({kind: 'noServer', detail})
}
