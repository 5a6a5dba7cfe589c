import {present} from '../../shared/base/present.ts'
import type {EpochMs} from '../../shared/base/units.ts'
import type {Held} from '../../shared/callbacks/held.ts'
import type {ChangeBatch, Handlers} from '../../shared/contract/contract.ts'
import type {FrameRow, PrimeDaemon, SourceView} from '../../shared/contract/rows.ts'
import {frameRowOf} from '../../shared/contract/to-rows.ts'
import type {Change} from '../../shared/history/change.ts'
import type {ConnectionFact, FrameId} from '../../shared/history/fact.ts'
import type {SourceId, SourceRecord} from '../../shared/source/source.ts'
import type {EngineDeps} from './engine-deps.ts'
import type {HandlerEnd, RunHandler} from './handlers/handler-callbacks.ts'
import {createPageNotifier} from './handlers/notify-pages.ts'
import {createHandlers} from './handlers.ts'
import {keepHistory} from './keep-history.ts'
import {freshRun, heldBefore, loadRun} from './load-run.ts'
import {createPrime, type Prime} from './prime/create-prime.ts'
import {createRemovedSessions} from './prime/removed-sessions.ts'
import {createPublisher, type Publisher} from './publish.ts'
import {createReach, type ReachDeps} from './reach.ts'
import {createSourceController, type SourceController} from './source-controller.ts'
import type {SourceRun} from './source-run.ts'
import {sourceViewOf} from './source-view.ts'
import type {StoredSource} from './store/store.ts'

export interface Engine {
  /** One for every channel of the contract. */
  readonly handlers: Handlers
  /** Returns its own undo. */
  readonly subscribe: (onBatch: (batch: ChangeBatch) => void) => () => void
  /** Stops every source, waits until nothing runs, and closes the store. What was pending is still to be handled. */
  readonly close: () => Promise<void>
}

/** The sources of one profile, watched. Everything that touches the world comes in through `deps`. */
export async function createEngine(deps: EngineDeps): Promise<Engine> {
  const {store, clock} = deps
  const profile = await store.load()
  const sources = new Map<SourceId, SourceController>()
  const viewOf = (id: SourceId): SourceView | undefined => {
    const controller = sources.get(id)
    return controller && sourceViewOf(controller.run, deps.demo)
  }
  const daemons = (): readonly PrimeDaemon[] => prime?.finder.list() ?? []
  const publisher = createPublisher(clock, viewOf, unhandledRows(profile.sources), daemons)
  const {runHandler, shown} = runnerOf(deps, publisher)
  let nextId = Number(profile.nextFrameId)
  let closing = false
  const nextFrameId = (): FrameId => nextId++ as FrameId // the one place that makes them, from the highest on disk
  const commit = async (changes: readonly Change[]): Promise<void> => {
    await store.commit(changes)
    publisher.committed(changes)
  }
  const admit = (run: SourceRun): SourceController => {
    const controller = createSourceController(run, {
      clock,
      nextFrameId,
      commit,
      journaled: store.read.journaled,
      touched: () => publisher.touched(run.record.id),
      reach: createReach(run, withPrime({...deps, runHandler}, prime)),
    })
    sources.set(run.record.id, controller)
    if (closing) void controller.close('closedWithApp')
    return controller
  }

  const add = (record: SourceRecord, held?: Held): SourceController =>
    admit({...freshRun(record, clock.now()), ...(held === undefined ? {} : {held})})
  const removed = createRemovedSessions(profile.removed)
  const around = {clock, read: store.read, sources, removed, add, onDaemons: publisher.daemonsChanged}
  const prime = deps.prime === undefined ? undefined : await createPrime(deps.prime, around)

  await commit(closeWhatWasOpen(profile.sources, clock.now()))
  for (const stored of profile.sources) admit(loadRun(stored, clock.now()))
  for (const {run, start} of sources.values()) if (!run.record.paused && deps.watches?.(run.record) !== false) start()
  const over = new AbortController()
  const handling = {...deps, sources, removed, add, commit}
  const keeping = keepHistory({...deps, limits: deps.keep ?? {}}, over.signal)

  return {
    handlers: createHandlers({...handling, finder: prime?.finder, runHandler, shown, closing: over.signal}),
    subscribe: publisher.subscribe,
    async close() {
      closing = true
      over.abort('closedWithApp')
      await Promise.all([...sources.values()].map(({close}) => close('closedWithApp')))
      await prime?.close()
      publisher.close()
      await deps.demo?.stop()
      await store.close() // ends what retention is about to do
      await keeping
    },
  }
}

/** For a source of a daemon: what all of them share. */
function withPrime(
  {tokens, openTransport, demo, openNumbered, clock, runHandler}: EngineDeps & {readonly runHandler: RunHandler},
  prime: Prime | undefined,
): ReachDeps {
  return {tokens, openTransport, clock, runHandler, ...present({demo, prime, openNumbered})}
}

/** What runs the user's handlers, and who is told that a page shows what one of them wants shown. */
function runnerOf({clock, handlerRunner}: EngineDeps, {notify}: Publisher) {
  const pages = createPageNotifier(clock, notify)
  return {runHandler: handlerRunner?.(pages.notify) ?? runNothing, shown: pages.shown}
}

async function runNothing(): Promise<HandlerEnd> {
  return {state: 'rejected', error: 'this Tidemark runs no handlers'}
}

/** Rows a screen asks the store for, and about which this process will have more to say. */
function unhandledRows(stored: readonly StoredSource[]): readonly FrameRow[] {
  const unhandled = stored.flatMap((source) => source.unhandled)
  return unhandled.map(({frame, outcome, attempts}) => frameRowOf(frame, outcome, attempts))
}

/**
 * An earlier process may have died without a word. Its open attempts were cut off, and what its connections did after the
 * last thing it recorded is not known: that time is drawn as missing, not as "still attached". What is held is held on, also by an
 * engine that does not watch it, and in the same transaction: only the user's word leads out.
 */
function closeWhatWasOpen(stored: readonly StoredSource[], now: EpochMs): Change[] {
  const changes: Change[] = [{kind: 'openAttemptsAborted'}]
  for (const source of stored) {
    const {record, lastConnection, lastFactAt} = source
    if (lastConnection === undefined || lastConnection.state.kind === 'stopped') continue
    const state = {kind: 'stopped', because: {kind: 'notStarted'}} as const
    const at = lastFactAt ?? lastConnection.at
    const told = (connection: Pick<ConnectionFact, 'at' | 'state'>): void =>
      void changes.push({kind: 'connectionChanged', connection: {source: record.id, heartbeat: 'none', ...connection}})
    told({at, state})
    if (lastConnection.state.kind === 'held' && heldBefore(source) !== undefined)
      told({at: now, state: lastConnection.state})
  }
  return changes
}
