import type {RetentionLimits} from '../../shared/history/retention.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import {createDemoPort} from '../demo/port.ts'
import {systemClock} from '../engine/clock.ts'
import {openProfile} from '../engine/open-profile.ts'
import {outsideWorld} from '../engine/outside-world.ts'
import {fileTokens} from '../engine/store/file-tokens.ts'
import {profileFiles} from '../engine/store/profile.ts'
import type {StoreError} from '../engine/store/store.ts'
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
  const files = profileFiles(options.directory)
  return openProfile({
    ...options,
    mode: 'host',
    workerUrl: new URL('../engine/store/store-worker.ts', import.meta.url),
    watchdogUrl: new URL('../engine/handlers/watchdog.ts', import.meta.url),
    desktop: notifySend,
    clock,
    tokens: fileTokens(files.tokens),
    ...outsideWorld(clock),
    demo: createDemoPort(clock, {snapshots: files.demoSnapshots, sockets: files.demoSockets}),
  })
}
