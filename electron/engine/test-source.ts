import type {ConnectionTest, Parsed} from '../../shared/contract/contract.ts'
import {isSameDoor} from '../../shared/source/same-stream.ts'
import type {SourceId, SourceSettings} from '../../shared/source/source.ts'
import type {EngineDeps} from './engine-deps.ts'
import {readHistory} from './numbered/read-history.ts'
import type {DaemonFinder} from './prime/daemon-finder.ts'
import type {SourceController} from './source-controller.ts'
import {testConnection} from './test-connection.ts'

export interface TrialDeps extends EngineDeps {
  readonly sources: ReadonlyMap<SourceId, SourceController>
  readonly finder: DaemonFinder | undefined
}

/** Enough to see whether its messages have their cursors where they were said to be. */
const TRIED_MESSAGES = 20
/** A daemon that says nothing of its sessions within this time, in ms, is told as it is. */
const LISTED_MS = 12_000

/** Tries settings out; nothing is stored. Those of a source that is there are tried with its own token, where that was given for them. */
export async function testSource(
  deps: TrialDeps,
  {settings, token, of}: Parsed<'sources.test'>,
): Promise<ConnectionTest> {
  if (settings.kind === 'numbered' && deps.openNumbered !== undefined) {
    const stream = {settings, open: deps.openNumbered, clock: deps.clock}
    return {kind: 'numbered', view: await readHistory(stream, undefined, TRIED_MESSAGES)}
  }
  if (settings.kind === 'prime' && deps.finder !== undefined) return testSession(settings, deps.finder, deps)
  if (settings.kind !== 'switch') return {kind: 'reached'} // part of this process
  const known = token ?? (await tokenOf(of, settings, deps))
  return testConnection({url: settings.url, agentId: settings.agentId, token: known ?? ''}, deps)
}

async function tokenOf(
  of: string | undefined,
  settings: SourceSettings,
  {sources, tokens}: TrialDeps,
): Promise<string | undefined> {
  const controller = sources.get(of as SourceId) // a plain string on the wire
  if (controller === undefined || !isSameDoor(controller.run.record.settings, settings)) return undefined
  return tokens.get(controller.run.record.id)
}

async function testSession(
  settings: Extract<SourceSettings, {kind: 'prime'}>,
  finder: DaemonFinder,
  {clock}: TrialDeps,
): Promise<ConnectionTest> {
  const over = new AbortController()
  const watch = finder.watchOf(settings.socket)
  void clock.wait(LISTED_MS, over.signal).then(() => over.abort())
  const isTold = (): boolean => {
    const {state, listedAt} = watch.view()
    return state !== 'looking' && (state !== 'connected' || listedAt !== undefined)
  }
  while (!over.signal.aborted && !isTold()) await watch.changed(over.signal)
  over.abort()
  const found = {daemon: watch.view(), resident: watch.find(settings).kind === 'resident'}
  finder.tidy()
  return {kind: 'session', ...found}
}
