import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test as base, expect} from '@playwright/test'
import {isAlive} from '../is-alive.ts'
import {type DesktopApp, launchDesktop} from '../launch-desktop.ts'
import {runStubbornCommand} from '../stubborn-command.ts'
import {createTidemark} from '../tidemark.ts'

interface Fixtures {
  /** An empty folder. */
  readonly profile: string
  /** As it was packed, with the demo. */
  readonly packed: DesktopApp
}

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  profile: async ({}, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'tidemark-packed-'))
    await use(profile)
    await rm(profile, {recursive: true, force: true, maxRetries: 50, retryDelay: 100})
  },
  packed: async ({profile}, use) => {
    const folder = process.env['TIDEMARK_PACKED_APP']
    if (folder === undefined) throw new Error('what was packed is named by `npm run package:dir`, which runs this')
    const app = await launchDesktop(profile, ['--demo'], {folder})
    await use(app)
    await app.stop()
  },
})

test('the app as it was packed starts, and watches the demo', async ({packed}) => {
  const {source, events} = createTidemark(packed.page)
  await expect(source('Demo: release-bot')).toContainText('attached')
  await expect(events('message', 'handled').first()).toBeVisible()
  await packed.stop()
  expect(await packed.exitCode).toBe(0)
})

test('the watchdog runs from the package: no command outlives the app, however it ends', async ({packed, profile}) => {
  const command = await runStubbornCommand(packed, join(profile, 'says-who-it-is'))
  await packed.kill()
  await expect.poll(() => isAlive(command)).toBe(false)
})
