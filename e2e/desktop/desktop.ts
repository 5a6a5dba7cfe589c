import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {type Elsewhere, serveElsewhere} from '../elsewhere.ts'
import {test as base} from '../fixtures.ts'
import {type DesktopApp, launchDesktop} from '../launch-desktop.ts'

interface Fixtures {
  /** It runs, on an empty profile. */
  readonly app: DesktopApp
  /** Starts it anew on the same profile, after it ended. */
  readonly restart: () => Promise<DesktopApp>
  readonly elsewhere: Elsewhere
  /** The acknowledged positions in the profile, as the command line reads them beside a running app. */
  readonly readPositions: () => Promise<string>
}

/** Of specs that know that they run in the desktop app. */
export const test = base.extend<Fixtures>({
  app: async ({desktop}, use) => {
    if (desktop === undefined) throw new Error('this spec is about the desktop app')
    await use(desktop)
  },
  restart: async ({profile, dist}, use) => {
    const started: DesktopApp[] = []
    await use(async () => {
      const app = await launchDesktop(profile, [], dist === undefined ? {} : {dist})
      started.push(app)
      return app
    })
    for (const {stop} of started) await stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  elsewhere: async ({}, use) => {
    const elsewhere = await serveElsewhere()
    await use(elsewhere)
    elsewhere.close()
  },
  readPositions: async ({profile}, use) => {
    const cli = join(import.meta.dirname, '..', '..', 'electron', 'cli', 'main.ts')
    await use(async () => {
      const args = [cli, 'positions', '--profile', profile, '--json']
      const {stdout} = await promisify(execFile)(process.execPath, args)
      return stdout
    })
  },
})
