import type {Result} from '../shared/base/result.ts'
import {createClient} from '../shared/contract/client.ts'
import type {Channel, Input, Output, RequestError} from '../shared/contract/contract.ts'
import type {RunningApp} from './running-app.ts'

/** For what a spec needs and no button does. */
export function ask<C extends Channel>(
  {request}: Pick<RunningApp, 'request'>,
  channel: C,
  input: Input<C>,
): Promise<Result<Output<C>, RequestError>> {
  return createClient({request, subscribe: () => () => {}}).request(channel, input)
}

/** Watches a scenario of the demo with the callbacks that belong to it, which no button of the page does. */
export async function watchScenario(app: RunningApp, name: string, scenario: string): Promise<void> {
  const added = await ask(app, 'sources.add', {name, settings: {kind: 'demo', scenario}})
  if (!added.ok) throw new Error(JSON.stringify(added.error))
}

/** Watches an agent of a Switch bridge under an identity of its own. */
export async function watchBridge(
  app: RunningApp,
  name: string,
  {url, agentId, token}: {readonly url: string; readonly agentId: string; readonly token: string},
): Promise<void> {
  const settings = {kind: 'switch', url, agentId, watchAs: 'own', startFrom: 'retained'} as const
  const added = await ask(app, 'sources.add', {name, settings, token})
  if (!added.ok) throw new Error(JSON.stringify(added.error))
}
