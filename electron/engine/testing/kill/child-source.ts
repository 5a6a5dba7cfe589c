import {type Handler, USUAL_HANDLER} from '../../../../shared/handlers/handler.ts'
import type {SourceId, SourceRecord, SourceSettings} from '../../../../shared/source/source.ts'
import type {Callbacks} from '../../callbacks.ts'
import type {Clock} from '../../clock.ts'
import type {EngineDeps} from '../../engine-deps.ts'
import {numberedTransports} from '../../numbered/open-numbered.ts'
import {socketTransport} from '../../prime/socket-transport.ts'
import {commandOf} from './command-handler.ts'
import type {ChildPlan} from './point.ts'
import {tellingNumbered, tellingSocket} from './tell-cursors.ts'
import {type Telling, tellingTransport} from './tell-frames.ts'

/* How a child reaches what it watches: as a source of the demo, which brings callbacks, or as one that a user added. */

const WATCHED = 'watched' as SourceId // there is only one

export function recordOf(plan: ChildPlan, clock: Clock): SourceRecord {
  const about = {id: WATCHED, name: 'watched', connectionId: 'watcher', addedAt: clock.now(), paused: false}
  return {...about, settings: settingsOf(plan), handlers: handlersOf(plan)}
}

/** A numbered stream of the demo comes over a socket, so one that has callbacks and comes by anything has a handler of the user's. */
function handlersOf(plan: ChildPlan): readonly Handler[] {
  if (plan.work.kind === 'command') return [commandOf(plan)]
  if (plan.work.kind === 'webhook') return [webhookOf(plan.work.url)]
  if (plan.work.kind === 'none' || plan.source.kind !== 'numbered') return []
  return [{id: 'h-1', name: 'works', rule: {}, ...USUAL_HANDLER, action: {kind: 'notification'}}]
}

function webhookOf(url: string): Handler {
  const retry = {deadlineMs: 60_000, attempts: 3, backoffMs: 0}
  return {id: 'h-1', name: 'tells', rule: {}, ...retry, action: {kind: 'webhook', url}}
}

function settingsOf({source, work}: ChildPlan): SourceSettings {
  const withCallbacks = work.kind === 'effect' || work.kind === 'scenario'
  switch (source.kind) {
    case 'bridge': {
      const {url, agentId} = source
      if (withCallbacks) return {kind: 'demo', scenario: 'of the test'}
      return {kind: 'switch', url, agentId, watchAs: 'own', startFrom: 'retained'}
    }
    case 'daemon': {
      const {socket, sessionId} = source
      return withCallbacks ? {kind: 'demo', scenario: 'prime:test'} : {kind: 'prime', socket, sessionId}
    }
    case 'numbered':
      return source.settings
  }
}

type Reaching = Pick<EngineDeps, 'tokens' | 'openTransport' | 'demo' | 'prime' | 'openNumbered'>

export function reaching({source}: ChildPlan, callbacks: Callbacks, telling: Telling, clock: Clock): Reaching {
  const token = source.kind === 'bridge' ? source.token : undefined
  const none = (): Promise<never> => Promise.reject(new Error('nothing of this kind is watched here'))
  return {
    tokens: {get: async () => token, set: async () => {}, delete: async () => {}, describe: 'in a test'},
    openTransport: (to) => tellingTransport(to, clock, telling),
    demo: {
      start: async () => (source.kind === 'bridge' ? {target: source, callbacks} : none()),
      startDaemon: async () => (source.kind === 'daemon' ? {...source, callbacks} : none()),
      stop: async () => {},
    },
    openNumbered: tellingNumbered(numberedTransports(clock), telling),
    ...(source.kind === 'daemon'
      ? {
          prime: {
            transport: tellingSocket(socketTransport(clock), telling),
            sockets: {load: async () => [], save: async () => {}},
          },
        }
      : {}),
  }
}
