import {expect} from '@playwright/test'
import {watchScenario} from './ask.ts'
import {test} from './fixtures.ts'
import {createTidemark} from './tidemark.ts'

test('timeline, list and ledgers show one source or say which of them is drawn, whatever is closed', async ({
  page,
  startApp,
}) => {
  const app = await startApp()
  await watchScenario(app, 'quiet', 'unknown-frame')
  await watchScenario(app, 'releases', 'poison-frame')
  const {open, source, events, inspector} = createTidemark(page)
  await open(app.url)
  await expect(source('releases')).toContainText('held', {timeout: 30_000})
  const timelineOf = (name: string) => page.getByRole('region', {name: `Timeline of ${name}`})
  const covers = page.getByText('the list shows all 2 sources')
  const ofAnother = events('releases')

  await test.step('nothing chosen: the first on the board is drawn, and it is said', async () => {
    await expect(timelineOf('releases')).toBeVisible()
    await expect(page.getByText('none chosen: the first on the board')).toBeVisible()
    await expect(ofAnother.first()).toBeVisible()
  })
  await test.step('closing the column of a source leaves all of them with it', async () => {
    await source('quiet').click()
    await inspector.getByRole('button', {name: 'Close the source'}).click()
    await expect(timelineOf('quiet')).toBeVisible()
    await expect(source('quiet')).toHaveAttribute('aria-current', 'true')
    await expect(page.getByRole('button', {name: 'show all'})).toBeVisible()
    await expect(ofAnother).toHaveCount(0)
    await expect(covers).toHaveCount(0)
    await expect(page.getByRole('tab', {name: 'Callbacks 0 open'})).toBeVisible()
  })
  await test.step('Escape once more shows all', async () => {
    await page.keyboard.press('Escape')
    await expect(covers).toBeVisible()
    await expect(ofAnother.first()).toBeVisible()
    await expect(page.locator('.board-item[aria-current]')).toHaveCount(0)
  })
})
