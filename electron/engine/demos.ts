import {messageOf} from '../../shared/base/message-of.ts'
import type {Parsed} from '../../shared/contract/contract.ts'
import {DEMOS, type DemoName} from '../../shared/source/demo.ts'
import {type SourceRecord, type SourceSettings, scenarioName, wireOf} from '../../shared/source/source.ts'
import type {DemoPort} from './demo-port.ts'
import {RefusedRequest} from './serve.ts'
import type {SourceController} from './source-controller.ts'

/** The source that shows a demo already, and what adding one takes. */
export function demoSource(
  which: DemoName,
  sources: Iterable<SourceController>,
): {readonly running: SourceController | undefined; readonly added: Parsed<'sources.add'>} {
  const {name, scenario} = DEMOS[which]
  const plays = (settings: SourceSettings): boolean => settings.kind === 'demo' && settings.scenario === scenario
  return {
    running: [...sources].find(({run}) => plays(run.record.settings)),
    added: {name, settings: {kind: 'demo', scenario}},
  }
}

export function demoAvailable(which: DemoName, demo: DemoPort | undefined): boolean {
  if (which === 'prime') return demo?.startDaemon !== undefined
  return which === 'numbered' ? demo?.startNumbered !== undefined : demo !== undefined
}

/** The process of a numbered demo ends and is back at once, with its store or without, as the user asked. */
export async function restartDemo(
  {name, settings}: SourceRecord,
  store: Parsed<'demo.restart'>['store'],
  demo: DemoPort | undefined,
): Promise<void> {
  if (settings.kind !== 'demo' || wireOf(settings) !== 'numbered' || demo?.restartNumbered === undefined)
    throw new RefusedRequest('noDemo', name)
  try {
    await demo.restartNumbered(scenarioName(settings.scenario), store)
  } catch (cause) {
    throw new RefusedRequest('demoFailed', messageOf(cause))
  }
}
