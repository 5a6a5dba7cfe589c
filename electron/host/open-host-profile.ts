import type {RetentionLimits} from '../../shared/history/retention.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import {createDemoPort} from '../demo/port.ts'
import {systemClock} from '../engine/clock.ts'
import {numberedTransports} from '../engine/numbered/open-numbered.ts'
import {openProfile} from '../engine/open-profile.ts'
import {defaultSocket} from '../engine/prime/default-socket.ts'
import {socketTransport} from '../engine/prime/socket-transport.ts'
import {fileTokens} from '../engine/store/file-tokens.ts'
import {profileFiles} from '../engine/store/profile.ts'
import type {StoreError} from '../engine/store/store.ts'
import {createHttpAgents} from '../engine/switch/http-request.ts'
import {httpTransport} from '../engine/switch/http-transport.ts'
import {probeHealth} from '../engine/switch/probe-health.ts'
import {notifySend} from './notify-send.ts'

export interface HostProfileOptions {
  readonly directory: string
  readonly version: string
  /** How much history is kept. Absent: all of it. */
  readonly keep?: RetentionLimits
  /** Which sources are watched. Absent: all that are not paused. */
  readonly watches?: (source: SourceRecord) => boolean
  readonly onTrouble: (error: StoreError) => void
}

/** The engine of a profile as a process without Electron composes it, from its sources. */
export function openHostProfile(options: HostProfileOptions): ReturnType<typeof openProfile> {
  const clock = systemClock()
  const agents = createHttpAgents()
  const files = profileFiles(options.directory)
  return openProfile({
    ...options,
    mode: 'host',
    workerUrl: new URL('../engine/store/store-worker.ts', import.meta.url),
    watchdogUrl: new URL('../engine/handlers/watchdog.ts', import.meta.url),
    desktop: notifySend,
    clock,
    tokens: fileTokens(files.tokens),
    openTransport: (target) => httpTransport(target, {agents, clock}),
    probeHealth: (url, signal) => probeHealth(url, signal, clock),
    demo: createDemoPort(clock, {snapshots: files.demoSnapshots}),
    openNumbered: numberedTransports(clock),
    prime: {transport: socketTransport(clock), defaultSocket: defaultSocket()},
  })
}
