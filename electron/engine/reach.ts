import {messageOf} from '../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import type {Activity} from '../../shared/history/activity.ts'
import type {SessionKey} from '../../shared/sessions/session-key.ts'
import type {NumberedSettings} from '../../shared/source/numbered.ts'
import {shapeOf} from '../../shared/source/numbered.ts'
import {
  type SourceId,
  type SourceSettings,
  scenarioName,
  type WatchedSession,
  wireOf,
} from '../../shared/source/source.ts'
import type {Ending} from '../../shared/source/source-machine.ts'
import type {Clock} from './clock.ts'
import type {DemoPort} from './demo-port.ts'
import {createHandlerCallbacks, type RunHandler} from './handlers/handler-callbacks.ts'
import {runNumberedSource} from './numbered/run-numbered-source.ts'
import type {OpenNumbered} from './numbered/transport.ts'
import type {Prime} from './prime/create-prime.ts'
import {runPrimeSource} from './prime/run-prime-source.ts'
import {sessionOf} from './prime/watched-session.ts'
import type {Reach} from './source-controller.ts'
import type {SourceRun} from './source-run.ts'
import type {SwitchTarget, SwitchTransport} from './switch/transport.ts'
import {watchSwitch} from './switch/watch-switch.ts'
import type {TokenStore} from './tokens.ts'

/** Makes the carrier of a Switch stream: server-sent events over HTTP today. */
export type OpenTransport = (target: SwitchTarget) => SwitchTransport

export interface ReachDeps {
  readonly tokens: TokenStore
  readonly openTransport: OpenTransport
  readonly demo?: DemoPort
  readonly prime?: Prime
  readonly clock: Clock
  readonly runHandler: RunHandler
  readonly openNumbered?: OpenNumbered
}

/**
 * Resolves a source's server, credentials and handlers at every start, so that a replaced token or a restarted demo is found.
 * A source without handlers has no callbacks of ours: its frames go together, as they came.
 */
export function createReach(run: SourceRun, deps: ReachDeps): () => Promise<Result<Reach, Ending>> {
  return async () => {
    const reach = await reachServer(run, deps)
    if (!reach.ok) return reach
    const {callbacks: before, watch} = reach.value
    if (before === undefined && (run.record.handlers ?? []).length === 0) return reach
    const callbacks = createHandlerCallbacks({
      handlers: () => run.record.handlers ?? [],
      sourceName: () => run.record.name,
      epoch: () => String(run.lastReplacement ?? 0),
      run: deps.runHandler,
      clock: deps.clock,
      ...(before === undefined ? {} : {before}),
    })
    return ok({watch, callbacks})
  }
}

async function reachServer(run: SourceRun, deps: ReachDeps): Promise<Result<Reach, Ending>> {
  const {id, settings} = run.record
  if (settings.kind === 'demo') return reachDemo(run, settings, deps)
  if (settings.kind === 'recording') return noServer('a recording')
  if (settings.kind === 'prime') return reachSession(run, settings, deps)
  if (settings.kind === 'numbered') return reachNumbered(settings, deps)
  const token = await readToken(id, deps)
  if (!token.ok) return token
  const target = {url: settings.url, agentId: settings.agentId, token: token.value}
  return ok({watch: watchSwitch(deps.openTransport(target))})
}

async function readToken(id: SourceId, {tokens}: ReachDeps): Promise<Result<string, Ending>> {
  try {
    const token = await tokens.get(id)
    return token === undefined ? err({kind: 'noToken'}) : ok(token)
  } catch (cause) {
    return err({kind: 'tokensUnreadable', detail: messageOf(cause)})
  }
}

function reachSession(run: SourceRun, {socket, ...first}: WatchedSession, {prime}: ReachDeps): Result<Reach, Ending> {
  if (prime === undefined) return noServer('this Tidemark looks for no daemon')
  const {finder, transport, succession} = prime
  const daemon = finder.watchOf(socket)
  const openActivities = (): Promise<readonly Activity[]> => prime.openActivities(run.record.id)
  const session = (): SessionKey => sessionOf(run) ?? first // its name may be told in full later
  const watched = {socket, session, transport, daemon, succession, openActivities}
  return ok({watch: (_, watching, signal) => runPrimeSource(run, watching, watched, signal)})
}

function reachNumbered(settings: NumberedSettings, {openNumbered}: ReachDeps): Result<Reach, Ending> {
  if (openNumbered === undefined) return noServer('this Tidemark opens no numbered streams')
  const numbered = {transport: openNumbered(settings), shape: shapeOf(settings), future: settings.future}
  return ok({watch: (run, watching, signal) => runNumberedSource(run, watching, numbered, signal)})
}

/** Where a numbered source's stream is now; `undefined`: the source is of another kind, or its demo is not here. */
export async function numberedSettingsOf(
  settings: SourceSettings,
  {demo}: Pick<ReachDeps, 'demo'>,
): Promise<NumberedSettings | undefined> {
  if (settings.kind === 'numbered') return settings
  if (settings.kind !== 'demo' || wireOf(settings) !== 'numbered') return undefined
  return (await demo?.startNumbered?.(scenarioName(settings.scenario)))?.settings
}

async function reachDemo(
  run: SourceRun,
  settings: Extract<SourceSettings, {kind: 'demo'}>,
  deps: ReachDeps,
): Promise<Result<Reach, Ending>> {
  const {demo, openTransport} = deps
  const {scenario} = settings
  const isDaemon = wireOf(settings) === 'prime'
  if (wireOf(settings) === 'numbered') return reachNumberedDemo(settings, deps)
  if (demo === undefined || (isDaemon && demo.startDaemon === undefined))
    return noServer('this Tidemark runs without its demo server')
  try {
    if (isDaemon && demo.startDaemon !== undefined) {
      const {callbacks, ...session} = await demo.startDaemon(scenarioName(scenario))
      run.demoSession = session
      const reached = reachSession(run, session, deps)
      return reached.ok && callbacks !== undefined ? ok({...reached.value, callbacks}) : reached
    }
    const {target, callbacks} = await demo.start(scenario)
    return ok({watch: watchSwitch(openTransport(target)), callbacks})
  } catch (cause) {
    return noServer(messageOf(cause))
  }
}

async function reachNumberedDemo(
  {scenario}: Extract<SourceSettings, {kind: 'demo'}>,
  deps: ReachDeps,
): Promise<Result<Reach, Ending>> {
  const start = deps.demo?.startNumbered
  if (start === undefined) return noServer('this Tidemark runs without its demo server')
  try {
    const {settings, callbacks} = await start(scenarioName(scenario))
    const reached = reachNumbered(settings, deps)
    return reached.ok && callbacks !== undefined ? ok({...reached.value, callbacks}) : reached
  } catch (cause) {
    return noServer(messageOf(cause))
  }
}

function noServer(detail: string): Result<never, Ending> {
  return err({kind: 'noServer', detail})
}
