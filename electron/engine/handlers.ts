import {epochMs} from '../../shared/base/units.ts'
import type {Handlers, HistoryView, NewSource, Parsed} from '../../shared/contract/contract.ts'
import {pairsOf} from '../../shared/contract/to-rows.ts'
import {parseCursor} from '../../shared/cursor/cursor.ts'
import type {Change} from '../../shared/history/change.ts'
import type {FrameId} from '../../shared/history/fact.ts'
import type {DemoName} from '../../shared/source/demo.ts'
import {
  type SourceId,
  type SourceRecord,
  type SourceSettings,
  scenarioName,
  wireOf,
} from '../../shared/source/source.ts'
import {changeSettings} from './change-settings.ts'
import {keepNumbering, retry, skip, takeNumbering} from './decide-held.ts'
import {demoAvailable, demoSource, restartDemo} from './demos.ts'
import type {EngineDeps} from './engine-deps.ts'
import type {RunHandler} from './handlers/handler-callbacks.ts'
import {readHistory} from './numbered/read-history.ts'
import type {DaemonFinder} from './prime/daemon-finder.ts'
import type {RemovedSessions} from './prime/removed-sessions.ts'
import {sessionOf, watcherOf} from './prime/watched-session.ts'
import {numberedSettingsOf} from './reach.ts'
import {RefusedRequest} from './serve.ts'
import {forgetSecrets, setHandlers} from './set-handlers.ts'
import type {SourceController} from './source-controller.ts'
import {sourceViewOf} from './source-view.ts'
import {testSource} from './test-source.ts'
import {tryHandler} from './try-handler.ts'

export interface HandlerDeps extends EngineDeps {
  readonly sources: Map<SourceId, SourceController>
  readonly add: (record: SourceRecord) => SourceController
  readonly commit: (changes: readonly Change[]) => Promise<void>
  readonly finder: DaemonFinder | undefined
  readonly removed: RemovedSessions
  readonly runHandler: RunHandler
  /** A page says that it shows a notification. */
  readonly shown: (notification: string) => boolean
  readonly closing: AbortSignal
}

const DONE = {done: true} as const

export function createHandlers(deps: HandlerDeps): Handlers {
  const {store, sources} = deps
  const found = (id: string): SourceController => {
    const controller = sources.get(id as SourceId) // a plain string on the wire
    if (controller === undefined) throw new RefusedRequest('noSuchSource', id)
    return controller
  }
  return {
    'app.info': async () => ({
      ...deps.shell,
      ...(await store.read.size()),
      tokenStorage: deps.tokens.describe,
      demoAvailable: deps.demo !== undefined,
      now: deps.clock.now(),
    }),
    'sources.list': async () => [...sources.values()].map(({run}) => sourceViewOf(run, deps.demo)),
    'sources.add': async (input) => ({source: await addSource(deps, input)}),
    ...settingsHandlers(deps, found),
    'sources.remove': ({source}) => removeSource(deps, found(source)),
    'sources.pause': ({source}) => pause(found(source)),
    'sources.resume': ({source}) => resume(found(source)),
    'sources.retry': ({source}) => retry(found(source), deps.clock),
    'sources.skip': ({source, frame, reason}) => skip(found(source), frame, reason),
    'sources.newConnection': ({source}) => newConnection(deps, found(source)),
    ...usersHandlers(deps, found),
    'sources.takeNumbering': ({source, frame}) => takeNumbering(found(source), frame),
    'sources.keepNumbering': ({source, frame}) => keepNumbering(found(source), frame, deps.clock),
    'history.from': ({source, ...asked}) => history(deps, found(source), asked),
    'positions.get': async ({source}) => {
      const {held} = found(source).run
      return {position: pairsOf(held.position), vectorSeen: held.vectorSeen}
    },
    'prime.daemons': async ({refresh}) => {
      if (refresh) await deps.finder?.refresh()
      return {daemons: deps.finder?.list() ?? []}
    },
    'prime.socket': async ({socket, forget}) => {
      await (forget ? deps.finder?.forget(socket) : deps.finder?.name(socket))
      return DONE
    },
    ...demoHandlers(deps, found),
    ...frameHandlers(deps),
    'timeline.range': ({source, from, to, columns}) =>
      store.read.timeline(source as SourceId, epochMs(from), epochMs(to), columns),
    'holes.list': ({source, before, limit}) =>
      store.read.holes(source as SourceId | undefined, before as FrameId | undefined, limit),
    'numberings.list': ({source, before, limit}) =>
      store.read.numberings(source as SourceId | undefined, before as FrameId | undefined, limit),
    'generations.list': ({source, limit}) => store.read.generations(source as SourceId, limit),
    'gaps.account': ({source, frame, note}) => accountGap(deps, found(source), frame as FrameId, note),
    'gaps.list': ({source, before, limit}) =>
      store.read.gaps(source as SourceId | undefined, before as FrameId | undefined, limit),
  }
}

/** What was received, and how it stands. */
function frameHandlers({store: {read}}: HandlerDeps): Pick<Handlers, 'frames.page' | 'frames.detail' | 'frames.bytes'> {
  const known = <Told>(told: Told | undefined, frame: number): Told => {
    if (told === undefined) throw new RefusedRequest('noSuchFrame', String(frame))
    return told
  }
  return {
    'frames.page': ({filter, before, limit}) => read.framesPage(filter, before as FrameId | undefined, limit),
    'frames.detail': async ({frame}) => known(await read.frameDetail(frame as FrameId), frame),
    'frames.bytes': async ({frame, from}) => {
      const bytes = known(await read.frameBytes(frame as FrameId, from), frame)
      return {bytes: Buffer.from(bytes).toString('base64')}
    },
  }
}

/** The channels about what a source is called, and by what settings it is watched. */
function settingsHandlers(
  deps: HandlerDeps,
  found: (source: string) => SourceController,
): Pick<Handlers, 'sources.test' | 'sources.rename' | 'sources.change' | 'sources.setToken'> {
  return {
    'sources.test': async (input) => {
      refuseUnwatchable(input.settings, deps)
      return testSource(deps, input)
    },
    'sources.rename': async ({source, name}) => {
      await found(source).change({name})
      return DONE
    },
    'sources.change': async ({source, ...changed}) => {
      await changeSettings(found(source), changed, deps)
      deps.finder?.tidy()
      return DONE
    },
    'sources.setToken': ({source, token}) => replaceToken(deps, found(source), token),
  }
}

/** The channels about what the user lets happen for a frame. */
function usersHandlers(
  deps: HandlerDeps,
  found: (source: string) => SourceController,
): Pick<Handlers, 'handlers.set' | 'handlers.test' | 'notifications.shown'> {
  const trying = {read: deps.store.read, run: deps.runHandler, clock: deps.clock, closing: deps.closing}
  return {
    'handlers.set': async ({source, ...list}) => {
      await setHandlers(found(source), list, deps.tokens)
      return DONE
    },
    'handlers.test': ({source, ...tried}) => tryHandler(found(source).run, tried, trying),
    'notifications.shown': async ({id}) => {
      deps.shown(id)
      return DONE
    },
  }
}

/** The channels about the servers that play themselves. */
function demoHandlers(
  deps: HandlerDeps,
  found: (source: string) => SourceController,
): Pick<Handlers, 'demo.start' | 'demo.restart'> {
  return {
    'demo.start': async ({which = 'switch'}) => ({source: await startDemo(deps, which)}),
    'demo.restart': async ({source, store}) => {
      await restartDemo(found(source).run.record, store, deps.demo)
      return DONE
    },
  }
}

async function addSource(deps: HandlerDeps, {name, settings, token}: NewSource): Promise<SourceId> {
  refuseUnwatchable(settings, deps)
  const {clock} = deps
  const known = settings.kind === 'prime' ? watcherOf(deps.sources.values(), settings) : undefined
  if (known !== undefined) {
    await resume(known)
    return known.run.record.id
  }
  const id = clock.uuid() as SourceId // made here, once
  const record = {id, name, settings, connectionId: clock.uuid(), addedAt: clock.now(), paused: false}
  if (token !== undefined) await deps.tokens.set(id, token)
  await deps.commit([{kind: 'sourceAdded', source: record}])
  deps.add(record).start()
  return id
}

/** A recording has no server, and a scenario that nobody plays has none either: as a source it would wait for ever. */
function refuseUnwatchable(settings: SourceSettings, {demo}: Pick<HandlerDeps, 'demo'>): void {
  if (settings.kind === 'recording') throw new RefusedRequest('cannotWatch', settings.file)
  if (settings.kind !== 'demo') return
  if (demo === undefined) throw new RefusedRequest('noDemo', 'this Tidemark runs without its demo server')
  if (demo.plays?.(wireOf(settings), scenarioName(settings.scenario)) === false)
    throw new RefusedRequest('cannotWatch', `no demo scenario is named ${settings.scenario}`)
}

async function startDemo(deps: HandlerDeps, which: DemoName): Promise<SourceId> {
  if (!demoAvailable(which, deps.demo)) throw new RefusedRequest('noDemo', 'this Tidemark runs without its demo server')
  const {running, added} = demoSource(which, deps.sources.values())
  if (running === undefined) return addSource(deps, added)
  await resume(running)
  return running.run.record.id
}

async function replaceToken(deps: HandlerDeps, controller: SourceController, token: string): Promise<typeof DONE> {
  await deps.tokens.set(controller.run.record.id, token)
  // A held source is waiting for the user's word about its frame, and a token is none.
  if (!controller.run.record.paused && controller.run.state.kind !== 'held') await controller.restart()
  return DONE
}

async function removeSource(deps: HandlerDeps, controller: SourceController): Promise<typeof DONE> {
  await controller.close('asked')
  const {id} = controller.run.record
  try {
    await deps.commit([{kind: 'sourceRemoved', source: id, at: deps.clock.now()}])
  } catch (cause) {
    // It is still there, also after the next start; an engine that closes begins nothing any more.
    if (!deps.closing.aborted) void controller.reopen()
    throw cause
  }
  deps.sources.delete(id)
  const session = sessionOf(controller.run)
  if (session !== undefined) deps.removed.note(session)
  deps.finder?.tidy()
  await forgetSecrets(controller.run.record, deps.tokens)
  return DONE
}

async function pause(controller: SourceController): Promise<typeof DONE> {
  await controller.change({paused: true})
  await controller.stop()
  return DONE
}

/** Also ends a wait before a reopen: the backoff begins anew, because somebody decided. */
async function resume(controller: SourceController): Promise<typeof DONE> {
  if (controller.run.record.paused) await controller.change({paused: false})
  if (controller.run.state.kind !== 'live') await controller.resume()
  return DONE
}

async function accountGap(
  {store, commit, clock}: HandlerDeps,
  {run: {record}}: SourceController,
  frame: FrameId,
  note: string,
): Promise<typeof DONE> {
  const detail = await store.read.frameDetail(frame)
  if (detail?.gap?.source !== record.id) throw new RefusedRequest('noSuchGap', String(frame))
  await commit([{kind: 'gapAccounted', source: record.id, frame, account: {at: clock.now(), note}}])
  return DONE
}

async function history(
  deps: HandlerDeps,
  {run}: SourceController,
  {cursor, limit}: Omit<Parsed<'history.from'>, 'source'>,
): Promise<HistoryView> {
  const settings = await numberedSettingsOf(run.record.settings, deps)
  if (settings === undefined || deps.openNumbered === undefined)
    throw new RefusedRequest('notNumbered', run.record.name)
  const from = cursor === undefined ? undefined : parseCursor(cursor)
  return readHistory({settings, open: deps.openNumbered, clock: deps.clock}, from, limit)
}

async function newConnection(deps: HandlerDeps, controller: SourceController): Promise<typeof DONE> {
  await controller.stop()
  await controller.change({connectionId: deps.clock.uuid(), paused: false})
  controller.run.generation = undefined
  if (controller.run.state.kind !== 'held') controller.start()
  return DONE
}
