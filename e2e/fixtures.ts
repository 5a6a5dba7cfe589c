import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test as base, expect} from '@playwright/test'
import {realClock} from '../electron/demo/demo-clock.ts'
import {findScenario} from '../electron/demo/scenarios.ts'
import {type DemoServer, startDemoServer} from '../electron/demo/server.ts'
import {launchApp, type RunningApp} from './launch-app.ts'
import {createTidemark, type Tidemark} from './tidemark.ts'
import {type Troubles, watchTroubles} from './troubles.ts'

interface Fixtures {
  /** An empty folder. */
  readonly profile: string
  /** Starts Tidemark on the profile; again, after it was stopped or killed. Whatever still runs is stopped at the end. */
  readonly startApp: (...flags: readonly string[]) => Promise<RunningApp>
  /** A Switch bridge that plays a scenario, so many times faster than written, for as long as the test. */
  readonly startBridge: (scenario: string, speed: number) => Promise<DemoServer>
  /** Everything the page complains of fails the test at its end, unless the test expects it. */
  readonly troubles: Troubles
  /** Tidemark on an empty profile, open in the page. */
  readonly tidemark: Tidemark
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  profile: async ({}, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'tidemark-e2e-'))
    await use(profile)
    await rm(profile, {recursive: true, force: true})
  },
  startApp: async ({profile}, use) => {
    const started: RunningApp[] = []
    await use(async (...flags) => {
      const app = await launchApp(profile, flags)
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
