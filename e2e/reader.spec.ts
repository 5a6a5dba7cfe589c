import {expect, type Page} from '@playwright/test'
import {watchBridge, watchScenario} from './ask.ts'
import {test} from './fixtures.ts'
import {createTidemark, type Tidemark} from './tidemark.ts'

test('the list moves on only for a reader at its top; anywhere else the place stays, and what comes is counted', async ({
  page,
  startApp,
  startBridge,
}) => {
  const bridge = await startBridge('steady', 10)
  const app = await startApp()
  await watchBridge(app, 'steady', bridge)
  const tidemark = createTidemark(page)
  await tidemark.open(app.url)
  const list = page.getByRole('region', {name: 'List of events'})
  await expect
    .poll(() => list.evaluate(({scrollHeight, clientHeight}) => scrollHeight / clientHeight))
    .toBeGreaterThan(3)

  await test.step('at the top it follows', async () => {
    const first = await newest(tidemark)
    await expect.poll(() => newest(tidemark)).not.toBe(first)
    expect(await list.evaluate(({scrollTop}) => scrollTop)).toBe(0)
  })
  const live = page.getByRole('button', {name: 'Live', exact: true})
  const still = page.getByRole('button', {name: 'List stands still'})
  await expect(live).toHaveAttribute('aria-pressed', 'true')
  await test.step('scrolled down, nothing moves while 20 frames come', async () => {
    await list.hover()
    await page.mouse.wheel(0, 500)
    await expect(page.getByRole('button', {name: /waiting$/})).toBeVisible()
    const before = await rowsInView(page)
    await expect.poll(() => waiting(page)).toBeGreaterThan(20)
    expect(await rowsInView(page)).toEqual(before)
    await expect(live).toHaveCount(0)
    await expect(still).toHaveAttribute('aria-pressed', 'false')
  })
  await test.step('it takes in what waited when asked', async () => {
    await page.getByRole('button', {name: /waiting$/}).click()
    await expect(page.getByRole('button', {name: 'Follow'})).toHaveAttribute('aria-pressed', 'true')
    const first = await newest(tidemark)
    await expect.poll(() => newest(tidemark)).not.toBe(first)
  })
  await test.step('from the press on, what is chosen is what was pressed', async () => {
    await tidemark.events('message').nth(2).hover()
    await page.mouse.down()
    const pressed = await list.locator('tr:hover').textContent()
    await expect(page.getByRole('button', {name: /waiting$/})).toBeVisible()
    await page.mouse.up()
    expect(await chosen(page)).toBe(pressed)
  })
  await test.step('the top bar says that the list stands still, and lets it go on', async () => {
    await still.click()
    await expect(live).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('button', {name: 'Follow'})).toHaveAttribute('aria-pressed', 'true')
  })
})

test('a source that is added is gone along with, although the list stood still', async ({tidemark}) => {
  const {page, startDemo, events, choose, source} = tidemark
  await startDemo()
  await choose(events('handled').first())
  await expect(page.getByRole('button', {name: 'Follow'})).toHaveAttribute('aria-pressed', 'false')
  await page.getByRole('button', {name: '+ Source'}).click()
  await page.getByRole('button', {name: 'Play a numbered stream'}).click()
  await expect(source(/^Demo: tide gauge/)).toBeVisible()
  await expect(events('{1, 1} flood begins', 'handled')).toBeVisible()
})

test('the list narrows to an outcome and to a text', async ({page, startApp}) => {
  const app = await startApp()
  await watchScenario(app, 'unknown', 'unknown-frame')
  const tidemark = createTidemark(page)
  const {events} = tidemark
  await tidemark.open(app.url)
  await expect(events('thanks')).toContainText('handled')
  const rows = page.getByRole('region', {name: 'List of events'}).getByRole('row')

  await page.getByRole('combobox', {name: 'Outcome'}).selectOption('discarded')
  await expect(rows).toHaveCount(2) // the head is a row too
  await expect(rows.nth(1)).toContainText('presence_hint')
  await expect(page.getByLabel('Search events')).toHaveValue('outcome:discarded')

  await page.getByLabel('Search events').fill('2.4')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText('is 2.4 still going out today?')
  await page.getByLabel('Search events').fill('"still going out" today')
  await expect(rows).toHaveCount(2)
  await page.getByLabel('Search events').fill('agent:dana')
  await expect(page.getByText('searched as text, being no key: agent:dana')).toBeVisible()
  await page.getByLabel('Search events').fill('nobody said this')
  await expect(page.getByText('Nothing in the history matches “nobody said this”.')).toBeVisible()
  await page.getByRole('button', {name: 'Show everything'}).click()
  await expect(events('thanks')).toBeVisible()
})

test('every place can be reached by keys', async ({page, startApp}) => {
  const app = await startApp()
  const {events, inspector, open} = createTidemark(page)
  await open(app.url)
  await watchScenario(app, 'gaps', 'backward-reset')
  await watchScenario(app, 'slow', 'slow-callback')
  await expect(events('can you post the whole diff?')).toContainText('pending')
  await expect(events('first message in here since')).toContainText('handled')
  const title = inspector.getByRole('heading', {level: 2})

  await page.keyboard.press('g')
  await expect(title).toHaveText('Gap, cursor moved back')
  await page.keyboard.press('c')
  await expect(title).toHaveText('message, pending')
  await expect(inspector).toContainText('can you post the whole diff?')

  await page.keyboard.press('j')
  const older = await chosen(page)
  await page.keyboard.press('k')
  await expect.poll(() => chosen(page)).not.toBe(older)
  await page.keyboard.press('j')
  await expect.poll(() => chosen(page)).toBe(older)
  await page.keyboard.press('Escape')
  await expect(page.locator('tr[aria-current="true"]')).toHaveCount(0)

  await page.keyboard.press('/')
  await expect(page.getByLabel('Search events')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Search events')).not.toBeFocused()

  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', {name: 'Keys'})
  await expect(keys).toContainText('next open callback')
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
})

/** The first row under the head, as text. */
function newest({events}: Tidemark): Promise<string | null> {
  return events('message').first().textContent()
}

function chosen(page: Page): Promise<string | null> {
  return page.getByRole('region', {name: 'List of events'}).locator('tr[aria-current="true"]').textContent()
}

async function waiting(page: Page): Promise<number> {
  return Number.parseInt((await page.getByRole('button', {name: /waiting$/}).textContent()) ?? '', 10)
}

/** What a reader sees of the list, and where on the screen. */
function rowsInView(page: Page): Promise<readonly string[]> {
  return page.getByRole('region', {name: 'List of events'}).evaluate((list) => {
    const {top, bottom} = list.getBoundingClientRect()
    return [...list.querySelectorAll('tbody tr')].flatMap((row) => {
      const box = row.getBoundingClientRect()
      return box.bottom > top && box.top < bottom ? [`${Math.round(box.top)} ${row.textContent}`] : []
    })
  })
}
