import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test as base, expect} from '@playwright/test'
import {realClock} from '../electron/demo/demo-clock.ts'
import {findNumberedScenario} from '../electron/demo/numbered/scenarios.ts'
import {type NumberedServer, type NumberedServerSetup, startNumberedServer} from '../electron/demo/numbered/server.ts'
import {findPrimeScenario} from '../electron/demo/prime/scenarios.ts'
import {type DemoDaemon, startDemoDaemon} from '../electron/demo/prime/server.ts'
import {findScenario} from '../electron/demo/scenarios.ts'
import {type DemoServer, startDemoServer} from '../electron/demo/server.ts'
import {type DesktopApp, launchDesktop} from './launch-desktop.ts'
import {launchHost} from './launch-host.ts'
import type {RunningApp} from './running-app.ts'
import {createTidemark, type Tidemark} from './tidemark.ts'
import {type Troubles, watchTroubles} from './troubles.ts'

/** Set by the projects of the configuration. */
export interface Options {
  /** In which way Tidemark runs. */
  readonly shell: 'host' | 'desktop'
  /** The folder of the dist that stands in for Electron's own; absent for the real one. */
  readonly dist: string | undefined
}

export type NumberedSetup = Omit<NumberedServerSetup, 'scenario' | 'clock'>

export interface Fixtures {
  /** An empty folder. */
  readonly profile: string
  /** The desktop app whose window is `page`, on the profile; absent in host mode. */
  readonly desktop: DesktopApp | undefined
  /** Starts Tidemark on the profile; again, after it was stopped or killed. Whatever still runs is stopped at the end. */
  readonly startApp: (...flags: readonly string[]) => Promise<RunningApp>
  /** A Switch bridge that plays a scenario, so many times faster than written, for as long as the test. */
  readonly startBridge: (scenario: string, speed: number) => Promise<DemoServer>
  /** A daemon of Prime Agent on a socket of its own that plays a scenario, likewise. */
  readonly startDaemon: (scenario: string, speed: number) => Promise<DemoDaemon>
  /** A server of numbered cursors, likewise; again on the same port and store, after it was closed. */
  readonly startNumbered: (scenario: string, setup?: NumberedSetup) => Promise<NumberedServer>
  /** Everything the page complains of fails the test at its end, unless the test expects it. */
  readonly troubles: Troubles
  /** Tidemark on an empty profile, open in the page. */
  readonly tidemark: Tidemark
}

export const test = base.extend<Fixtures & Options>({
  shell: ['host', {option: true}],
  dist: [undefined, {option: true}],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  profile: async ({}, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'tidemark-e2e-'))
    await use(profile)
    // A browser that was killed may write a last time while its folder is deleted.
    await rm(profile, {recursive: true, force: true, maxRetries: 50, retryDelay: 100})
  },
  desktop: async ({shell, dist, profile}, use) => {
    if (shell === 'host') return use(undefined)
    const app = await launchDesktop(profile, [], dist === undefined ? {} : {dist})
    await use(app)
    await app.stop()
  },
  // In the desktop app there is no page before there is an app, so it runs as soon as a test asks for one.
  page: async ({page, desktop}, use) => use(desktop?.page ?? page),
  startApp: async ({profile, page, desktop, dist}, use) => {
    const started: RunningApp[] = []
    await use(async (...flags) => {
      if (desktop !== undefined && started.length === 0) {
        started.push(desktop)
        if (flags.length > 0) await desktop.startAgain(flags)
        return desktop
      }
      const app =
        desktop === undefined
          ? await launchHost(profile, flags, page)
          : await launchDesktop(profile, flags, dist === undefined ? {} : {dist})
      started.push(app)
      return app
    })
    for (const {stop} of started) await stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  startBridge: async ({}, use) => {
    const started: DemoServer[] = []
    await use(async (name, speed) => {
      const scenario = findScenario(name)
      if (scenario === undefined) throw new Error(`no scenario is named ${name}`)
      const bridge = await startDemoServer({scenario, speed, clock: realClock()})
      started.push(bridge)
      return bridge
    })
    for (const {close} of started) await close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  startDaemon: async ({}, use) => {
    const started: DemoDaemon[] = []
    await use(async (name, speed) => {
      const scenario = findPrimeScenario(name)
      if (scenario === undefined) throw new Error(`no scenario of a daemon is named ${name}`)
      const daemon = await startDemoDaemon({scenario, speed, clock: realClock()})
      started.push(daemon)
      return daemon
    })
    for (const {close} of started) await close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  startNumbered: async ({}, use) => {
    const started: NumberedServer[] = []
    await use(async (name, setup = {}) => {
      const scenario = findNumberedScenario(name)
      if (scenario === undefined) throw new Error(`no scenario of a numbered server is named ${name}`)
      const server = await startNumberedServer({...setup, scenario, clock: realClock()})
      started.push(server)
      return server
    })
    for (const {close} of started) await close()
  },
  troubles: [
    // It asks for the app only to be done before the app is gone: a page that lost its host rightly complains.
    async ({page, startApp: _startApp}, use) => {
      const troubles = await watchTroubles(page)
      await use(troubles)
      expect(troubles.unexpected(), 'the page complained').toEqual([])
    },
    {auto: true},
  ],
  tidemark: async ({page, startApp}, use) => {
    const {url} = await startApp()
    const tidemark = createTidemark(page)
    await tidemark.open(url)
    await use(tidemark)
  },
})
