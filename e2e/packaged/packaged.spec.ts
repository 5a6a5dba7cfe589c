import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from '@playwright/test'
import {launchDesktop} from '../launch-desktop.ts'
import {createTidemark} from '../tidemark.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, '.cache', 'unpacked-app')

test('the app as it was packed starts, and watches the demo', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'tidemark-packed-'))
  const app = await launchDesktop(profile, ['--demo'], {folder})
  const {source, events} = createTidemark(app.page)
  await expect(source('Demo: release-bot')).toContainText('attached')
  await expect(events('message', 'handled').first()).toBeVisible()
  await app.stop()
  expect(await app.exitCode).toBe(0)
  await rm(profile, {recursive: true, force: true, maxRetries: 50, retryDelay: 100})
})
