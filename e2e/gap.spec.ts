import {expect} from '@playwright/test'
import {watchScenario} from './ask.ts'
import {test} from './fixtures.ts'
import {createTidemark} from './tidemark.ts'

test('a gap shows what it took back and what a merge would have kept; until its callback resolved, the old position stands', async ({
  page,
  startApp,
}) => {
  const app = await startApp()
  const {events, choose, inspector, cells, source, open, waitForIdle} = createTidemark(page)
  await open(app.url)
  await watchScenario(app, 'release-bot', 'slow-gap')
  const gap = events('synthetic reset')

  await test.step('pending: the old position stands', async () => {
    await choose(gap.filter({hasText: 'pending'}))
    // Read in one go, so that all of it was on the screen at the same time.
    const missing = async (): Promise<readonly string[]> => {
      const screen = await page.locator('body').ariaSnapshot()
      const expected = ['s 18 · 2 rooms', 'Gap, its callback is pending', 'Position, not applied', 'Would be']
      return expected.filter((text) => !screen.includes(text))
    }
    await expect.poll(missing).toEqual([])
  })
  await test.step('applied: before, after, and what a merge would keep', async () => {
    await expect(inspector.getByRole('heading', {name: 'Gap, cursor moved back'})).toBeVisible()
    await expect(source('release-bot')).toContainText(/s [23] · 1 room/)
    await waitForIdle()
    expect(await cells(inspector.getByRole('table', {name: 'Position before and after the gap'}))).toEqual([
      ['Coordinate', 'Before', 'After', 'Merge would keep'],
      ['s', '18', '2 ↓back by 16', '18'],
      ['r:room-a', '43', '7 ↓back by 36', '43'],
      ['r:room-b', '9', '✕ removed', '9'],
    ])
    await expect(inspector).toContainText('from 18, resumed at 2')
    await expect(inspector).toContainText('s 18, r:room-a 43, r:room-b 9 acknowledged')
  })
  await test.step('the list is narrowed by the word that stands there', async () => {
    await page.getByRole('combobox', {name: 'Outcome'}).selectOption('replaced')
    await expect(events('synthetic reset')).toContainText('replaced')
    await expect(page.getByRole('region', {name: 'List of events'}).getByRole('row')).toHaveCount(2)
    await page.getByRole('combobox', {name: 'Outcome'}).selectOption('all outcomes')
  })
  await test.step('the ledger says the same in a row', async () => {
    await page.getByRole('tab', {name: 'Gaps 1'}).click()
    const ledger = page.getByRole('table', {name: 'Gaps declared by the server, newest first'})
    await expect(ledger.getByRole('row').nth(1)).toContainText('s 18 → 2, r:room-a 43 → 7, r:room-b 9 → removed')
    await expect(ledger.getByRole('row').nth(1)).toContainText('not yet accounted for')
  })
  await test.step('it is accounted for on the user’s word, which is told as one and moves nothing', async () => {
    await expect(inspector).toContainText('A gap is accounted for once it is known how the loss was made good')
    await expect(page.getByRole('banner')).toContainText('1 needs attention')
    const before = await cells(inspector.getByRole('table', {name: 'Position before and after the gap'}))
    await expect(inspector.getByRole('button', {name: 'Account for it'})).toBeDisabled()
    await inspector.getByLabel('How was it made good?').fill('read again in room-b')
    await inspector.getByRole('button', {name: 'Account for it'}).click()
    await expect(inspector).toContainText(
      /The user said at [\d:.]+: “read again in room-b”\. Tidemark knows no more of it\./,
    )
    await expect(inspector).not.toContainText('not yet accounted for')
    await expect(page.getByRole('banner')).toContainText('none needs attention')
    await expect(page.getByRole('table', {name: /^Gaps declared/})).toContainText('the user’s word')
    expect(await cells(inspector.getByRole('table', {name: 'Position before and after the gap'}))).toEqual(before)
  })
  await test.step('the address names it, and brings it back', async () => {
    const address = page.url()
    expect(new URL(address).hash).toMatch(/^#source=.+&frame=\d+$/)
    await page.reload()
    await expect(inspector.getByRole('heading', {name: 'Gap, cursor moved back'})).toBeVisible()
    await expect(inspector).toContainText('“read again in room-b”')
    expect(page.url()).toBe(address)
  })
})
