import type {SourceView} from '../../../../shared/contract/rows.ts'
import type {Handler} from '../../../../shared/handlers/handler.ts'
import type {SourceId} from '../../../../shared/source/source.ts'
import type {Engine} from '../../engine.ts'
import {RefusedRequest} from '../../serve.ts'
import {StoreFailure} from '../../store/store.ts'
import {wordsOf} from './life.ts'
import type {UserAct} from './plan.ts'
import {pathOf, type World} from './world.ts'

/** Somebody in front of a screen, who clicks what it offers, sometimes twice. */
export async function click(world: World, source: string, does: UserAct): Promise<void> {
  const {life, verdict, trace} = world
  const engine = life?.engine()
  if (life === undefined || engine === undefined || world.isClosing) return
  const view = (await life.views()).find(({id}) => id === source)
  if (view === undefined) return
  trace.note(() => `user: ${does} ${source}, which is ${view.connection.state}`)
  life.conduct(source)?.touched()
  act(
    {
      engine,
      view,
      skips: (frame) => world.witnesses.get(source)?.userSkips(frame),
      retries: () => world.witnesses.get(source)?.userRetries(),
      takes: (frame) => world.numbered.get(source)?.userTakes(frame),
      keeps: (frame) => world.numbered.get(source)?.userKeeps(frame),
      keepsNot: (frame) => world.numbered.get(source)?.keepWasRefused(frame),
      failed: (cause) => verdict.broken('the engine threw', wordsOf(cause)),
    },
    does,
  )
  if (view.connection.state === 'held') world.marks.add('decided')
}

/** Somebody gives a source another list of handlers. */
export function setHandlers(world: World, source: string, handlers: readonly Handler[]): void {
  const {life, verdict, trace} = world
  const engine = life?.engine()
  if (life === undefined || engine === undefined || world.isClosing) return
  trace.note(() => `user: sets handlers of ${source} to ${handlers.map(({id}) => id).join(', ')}`)
  life.conduct(source)?.touched()
  const set = engine.handlers['handlers.set']({
    source,
    handlers: [...handlers],
    secrets: handlers.map(({id}) => [id, 'secret']),
  })
    .then(() => life.views())
    .then((views) => {
      const view = views.find(({id}) => id === source)
      const goesOn = view?.paused === false && view.connection.state !== 'held' && view.connection.state !== 'stopped'
      // From here on nothing of it works as before the list was set.
      if (goesOn) world.witnesses.get(source)?.lists.reached()
    })
  send({failed: (cause) => verdict.broken('the engine threw', wordsOf(cause))}, set)
}

/** Somebody no longer wants to watch: the session of a source, or the one that took its place. */
export async function removeSource(world: World, own: string, which: 'own' | 'other'): Promise<void> {
  const {life, verdict, trace, removals} = world
  const engine = life?.engine()
  if (life === undefined || engine === undefined || world.isClosing) return
  const isMeant = ({id, settings}: SourceView): boolean =>
    which === 'own' ? id === own : id !== own && settings.kind === 'prime' && settings.socket === pathOf(own)
  const id = (await life.views()).find(isMeant)?.id
  if (id === undefined) return
  trace.note(() => `user: removes ${id}`)
  life.conduct(id)?.touched()
  removals.asks(id)
  const failed = (cause: unknown): void => verdict.broken('the engine threw', wordsOf(cause))
  send({failed}, engine.handlers['sources.remove']({source: id as SourceId}))
}

/** Somebody thinks again, and wants to watch what they removed. */
export function watchAgain({life, verdict, trace, removals, isClosing}: World, own: string): void {
  const engine = life?.engine()
  if (engine === undefined || isClosing) return
  const failed = (cause: unknown): void => verdict.broken('the engine threw', wordsOf(cause))
  for (const {socket, sessionId} of removals.sessions()) {
    if (socket !== pathOf(own)) continue
    trace.note(() => `user: watches ${sessionId} again`)
    removals.wants({socket, sessionId})
    send({failed}, engine.handlers['sources.add']({name: 'again', settings: {kind: 'prime', socket, sessionId}}))
  }
}

interface UserParts {
  readonly engine: Engine
  readonly view: SourceView
  readonly skips: (frame: number) => void
  readonly retries: () => void
  readonly takes: (frame: number) => void
  readonly keeps: (frame: number) => void
  readonly keepsNot: (frame: number) => void
  /** A click came to an end that no screen explains. */
  readonly failed: (cause: unknown) => void
}

function act(parts: UserParts, does: UserAct): void {
  const {handlers} = parts.engine
  const {id, connection} = parts.view
  const source = id as SourceId // rows carry it as a plain string
  const {frame} = connection
  const isAboutNumbering = connection.because?.kind === 'numberingReset'
  const one: Readonly<Record<OneAct, () => Promise<unknown>>> = {
    pause: () => handlers['sources.pause']({source}),
    resume: () => handlers['sources.resume']({source}),
    retry: () => {
      if (connection.state === 'held') parts.retries()
      if (isAboutNumbering && frame !== undefined) parts.keeps(frame)
      return handlers['sources.retry']({source})
    },
    newConnection: () => handlers['sources.newConnection']({source}),
    keep: () => {
      if (frame === undefined) return Promise.resolve()
      parts.keeps(frame)
      return handlers['sources.keepNumbering']({source, frame}).catch((cause: unknown) => {
        if (cause instanceof RefusedRequest) parts.keepsNot(frame)
        throw cause
      })
    },
    // Where it is refused, nothing was taken.
    take: () =>
      frame === undefined
        ? Promise.resolve()
        : handlers['sources.takeNumbering']({source, frame}).then(() => parts.takes(frame)),
    skip: () => {
      if (frame === undefined) return Promise.resolve()
      parts.skips(frame)
      return handlers['sources.skip']({source, frame, reason: 'the user says so'})
    },
  }
  for (const each of ONE_BY_ONE[does]) send(parts, one[each]())
}

type OneAct = 'pause' | 'resume' | 'retry' | 'newConnection' | 'take' | 'keep' | 'skip'

/** What is clicked at once is clicked in this order. */
const ONE_BY_ONE: Readonly<Record<UserAct, readonly OneAct[]>> = {
  pause: ['pause'],
  resume: ['resume'],
  retry: ['retry'],
  newConnection: ['newConnection'],
  take: ['take'],
  skip: ['skip'],
  skipTwice: ['skip', 'skip'],
  retryAndSkip: ['retry', 'skip'],
  skipAndRetry: ['skip', 'retry'],
  takeTwice: ['take', 'take'],
  takeAndRetry: ['take', 'retry'],
  retryAndTake: ['retry', 'take'],
  retryTwice: ['retry', 'retry'],
  keep: ['keep'],
  keepAndRetry: ['keep', 'retry'],
  retryAndKeep: ['retry', 'keep'],
}

function send({failed}: Pick<UserParts, 'failed'>, done: Promise<unknown>): void {
  done.catch((cause: unknown) => {
    if (!(cause instanceof RefusedRequest || cause instanceof StoreFailure)) failed(cause)
  })
}
