import {onTestFinished} from 'vitest'
import {findNumberedScenario} from '../../demo/numbered/scenarios.ts'
import {type NumberedServer, type NumberedServerSetup, startNumberedServer} from '../../demo/numbered/server.ts'
import {createFastClock} from './fast-clock.ts'

/** A server of numbered cursors that ends with the test, and does what it is told to. */
export async function serve(
  options: Partial<NumberedServerSetup> & {readonly named?: string} = {},
): Promise<NumberedServer> {
  const {named = 'still', ...setup} = options
  const scenario = findNumberedScenario(named)
  if (scenario === undefined) throw new Error(`no scenario is named ${named}`)
  const server = await startNumberedServer({clock: createFastClock(10), ...setup, scenario})
  onTestFinished(server.close)
  return server
}

export function note(text: string) {
  return {kind: 'event', event: {kind: 'note', text}} as const
}

export const snapshot = {kind: 'snapshot', reason: 'checkpoint'} as const

/** Three generations: 1:0 1:1 1:2, 2:0 2:1, 3:0. */
export function rise(server: NumberedServer): void {
  for (const action of [note('a'), note('b'), snapshot, note('c'), snapshot]) server.act(action)
}

export const RISEN = ['snapshot 1:0', 'event 1:1', 'event 1:2', 'snapshot 2:0', 'event 2:1', 'snapshot 3:0']
