import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {chromium, expect, type Page} from '@playwright/test'
import {watchBridge} from '../ask.ts'
import {createTidemark} from '../tidemark.ts'
import {test} from './desktop.ts'

test('a page whose process crashed is loaded again, says so, and shows what was chosen; the engine ran on', async ({
  app,
  profile,
  startBridge,
  troubles,
}) => {
  troubles.expect(/./) // whatever a page that crashes has to say
  await watchBridge(app, 'steady', await startBridge('steady', 10))
  const before = createTidemark(app.page)
  await before.source('steady').click()
  await expect(before.inspector.getByRole('heading', {name: 'steady'})).toBeVisible()
  const loadedAgain = await app.electron.evaluateHandle(({BrowserWindow}) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    return {done: new Promise<void>((resolve) => contents?.once('did-finish-load', () => resolve()))}
  })
  const crashing = await app.page.context().newCDPSession(app.page)
  void crashing.send('Page.crash').catch(() => {}) // nobody is left to answer

  await loadedAgain.evaluate(({done}) => done)
  const {page, leave} = await meetAgain(profile)
  const after = createTidemark(page)
  await expect(page.getByText('This screen was loaded again: its process crashed')).toBeVisible()
  await expect(after.inspector.getByRole('heading', {name: 'steady'})).toBeVisible()
  await expect(after.source('steady')).toContainText('attached')
  await page.getByRole('button', {name: /^Put away/}).click()
  await expect(page.getByText('This screen was loaded again')).toHaveCount(0)
  await leave()
})

/** Playwright gives a page up that crashed, so the one in its place is met over a connection of its own. */
async function meetAgain(profile: string): Promise<{readonly page: Page; readonly leave: () => Promise<void>}> {
  const [port] = (await readFile(join(profile, 'browser', 'DevToolsActivePort'), 'utf8')).split('\n')
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const pages = (): readonly Page[] => browser.contexts().flatMap((context) => context.pages())
  await expect.poll(() => pages().length).toBe(1)
  const [page] = pages()
  if (page === undefined) throw new Error('there is no page')
  return {page, leave: () => browser.close()}
}
