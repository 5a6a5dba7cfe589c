import {epochMs} from '../../../../shared/base/units.ts'
import type {Handler} from '../../../../shared/handlers/handler.ts'
import type {SourceId} from '../../../../shared/source/source.ts'
import {systemClock} from '../../clock.ts'
import {openProfile} from '../../open-profile.ts'
import {makeProfileDirectory, profileFiles} from '../../store/profile.ts'
import {openSqliteStore} from '../../store/sqlite-store.ts'
import {httpTransport} from '../../switch/http-transport.ts'
import {probeHealth} from '../../switch/probe-health.ts'

/*
 * A process that watches one source with the user's handlers, composed as a shell composes it, made to be killed.
 *
 * usage: node watch-with-handlers.ts <JSON of a HandlerPlan>; it ends with its standard input
 */

interface HandlerPlan {
  readonly profile: string
  readonly url: string
  readonly agentId: string
  readonly token: string
  readonly handlers: readonly Handler[]
}

const {profile: directory, url, agentId, token, handlers} = JSON.parse(process.argv[2] ?? '') as HandlerPlan // written by the test
const clock = systemClock()
const workerUrl = new URL('../../store/store-worker.ts', import.meta.url)
const id = 'watched' as SourceId // made here, once

makeProfileDirectory(directory)
const store = await openSqliteStore({path: profileFiles(directory).store, workerUrl})
if (!store.ok) throw new Error(store.error.detail)
if ((await store.value.load()).sources.length === 0) {
  const settings = {kind: 'switch', url, agentId, watchAs: 'own', startFrom: 'retained'} as const
  const about = {id, name: 'releases', connectionId: 'watcher', addedAt: epochMs(0), paused: false}
  await store.value.commit([{kind: 'sourceAdded', source: {...about, settings, handlers}}])
}
await store.value.close()

const opened = await openProfile({
  directory,
  mode: 'host',
  version: '0',
  workerUrl,
  watchdogUrl: new URL('../../handlers/watchdog.ts', import.meta.url),
  clock,
  tokens: {get: async () => token, set: async () => {}, delete: async () => {}, describe: 'in a test'},
  openTransport: (target) => httpTransport(target, {clock}),
  probeHealth: (at, signal) => probeHealth(at, signal, clock),
  onTrouble: ({detail}) => console.error(detail),
})
if (!opened.ok) throw new Error(opened.error.kind)
process.stdin.on('end', () => process.exit(0)).resume()
