import {expect, type Page} from '@playwright/test'
import {watchScenario} from './ask.ts'
import {test} from './fixtures.ts'
import {createTidemark} from './tidemark.ts'

test('what was typed is lost only on the user’s word', async ({page, startApp}) => {
  const app = await startApp()
  await watchScenario(app, 'quiet', 'unknown-frame')
  const {open} = createTidemark(page)
  await open(app.url)
  const url = page.getByLabel('Bridge URL')
  const question = page.getByRole('alertdialog', {name: 'What you typed is not saved'})

  await test.step('a form that is empty is left at once', async () => {
    await page.getByRole('button', {name: '+ Source'}).click()
    await page.getByRole('button', {name: 'Watch a Switch agent'}).click()
    await expect(page.getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(url).toHaveCount(0)
    await expect(question).toHaveCount(0)
  })
  await test.step('of one that is not, it is asked; Escape keeps it', async () => {
    await page.getByRole('button', {name: '+ Source'}).click()
    await page.getByRole('button', {name: 'Watch a Switch agent'}).click()
    await url.fill('https://bridge.example.org')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(question.getByRole('button', {name: 'Keep it'})).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(url).toHaveValue('https://bridge.example.org')
  })
  await test.step('what saves a source says what it needs', async () => {
    await page.getByLabel('Agent id').fill('release-bot')
    await page.getByLabel('Token', {exact: true}).fill('secret')
    await expect(page.getByRole('button', {name: 'Save and watch'})).toBeDisabled()
    await expect(page.getByText('“Save and watch” comes once a test')).toBeVisible()
  })
  await test.step('and gone it is on the user’s word', async () => {
    await page.getByRole('button', {name: '+ Source'}).click()
    await question.getByRole('button', {name: 'Discard it'}).click()
    await expect(url).toHaveCount(0)
  })
})

test('the focus stays beside what was done', async ({page, startApp}) => {
  const app = await startApp()
  await watchScenario(app, 'releases', 'poison-frame')
  const {open, source, inspector} = createTidemark(page)
  await open(app.url)
  await expect(source('releases')).toContainText('held', {timeout: 30_000})
  await source('releases').click()

  await test.step('a handler that is added', async () => {
    await inspector.getByRole('button', {name: 'Add a handler'}).click()
    await expect(inspector.getByLabel('Name').first()).toBeFocused()
    await inspector.getByLabel('Name').first().fill('tell me')
    await inspector.getByRole('radio', {name: 'Shows a notification'}).check()
    await inspector.getByRole('button', {name: 'Add it'}).press('Enter')
    await expect(inspector.getByRole('listitem', {name: 'tell me'})).toBeVisible()
    await expectInside(page)
  })
  await test.step('a question that is answered', async () => {
    await inspector.getByRole('button', {name: 'Remove this source'}).press('Enter')
    await expectInside(page)
    await inspector.getByRole('button', {name: 'Keep it'}).press('Enter')
    await expectInside(page)
  })
  await test.step('a held frame whose source is paused: first it is resumed', async () => {
    await inspector.getByRole('button', {name: 'Pause this source'}).press('Enter')
    await inspector.getByRole('button', {name: 'Show the event it is held at'}).press('Enter')
    await expect(inspector).toContainText('Held here, and paused by you.')
    await expect(inspector.getByRole('button', {name: 'Retry'})).toHaveCount(0)
    await inspector.getByRole('button', {name: 'Resume the source'}).press('Enter')
    await expect(inspector).toContainText('Nothing is read until you decide.')
    await expectInside(page)
  })
  await test.step('a frame that is skipped', async () => {
    await expect(inspector.getByText('A skip needs its reason first.')).toBeVisible()
    await inspector.getByLabel('Reason for the skip').fill('the release went out by hand')
    await inspector.getByRole('button', {name: 'Skip this event'}).press('Enter')
    await expect(inspector.getByRole('heading', {name: 'message, skipped'})).toBeVisible()
    await expectInside(page)
  })
})

/** The focus is in the column beside, and not left to the whole page. */
async function expectInside(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('aside') !== null)).toBe(true)
}
