import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {AxeBuilder} from '@axe-core/playwright'
import {expect, type Page} from '@playwright/test'
import {watchScenario} from './ask.ts'
import {findOverflows, findOverlaps} from './find-overlaps.ts'
import {test} from './fixtures.ts'
import {createTidemark, type Tidemark} from './tidemark.ts'

const WIDE = {width: 1440, height: 900}
const NARROW = {width: 1024, height: 700}

/** The main screens are looked at in both themes and at both sizes, the others once in each. */
const EVERY_WAY = [
  {size: WIDE, theme: 'dark'},
  {size: WIDE, theme: 'light'},
  {size: NARROW, theme: 'dark'},
  {size: NARROW, theme: 'light'},
] as const
const TWO_WAYS = [
  {size: WIDE, theme: 'dark'},
  {size: NARROW, theme: 'light'},
] as const

const SCREENS = join(import.meta.dirname, '..', 'test-results', 'screens')

test.beforeAll(() => mkdirSync(SCREENS, {recursive: true}))

test('the first screen, and the form for a source', async ({tidemark: {page}}) => {
  await looksRight(page, 'empty', EVERY_WAY)
  await page.getByRole('button', {name: 'Watch a Switch agent'}).click()
  await page.getByRole('radio', {name: /^The watched agent’s/}).check()
  await looksRight(page, 'add-source', EVERY_WAY)
})

test('the demo with its gap chosen', async ({tidemark}) => {
  const {page, startDemo, events, choose, waitForIdle} = tidemark
  await startDemo()
  const gap = events('the bridge lost its events')
  await expect(gap).toContainText('replaced', {timeout: 40_000})
  await expect(events('moved the docs talk back in here')).toContainText('handled', {timeout: 30_000})
  await choose(gap)
  await waitForIdle()
  await forReadme(tidemark)
  await looksRight(page, 'gap', EVERY_WAY)
})

test('the ledgers, and the timeline as a table', async ({page, startApp}) => {
  const app = await startApp()
  await watchScenario(app, 'resets', 'backward-reset')
  await watchScenario(app, 'rejections', 'reject-once')
  const {open, events, choose, waitForIdle} = createTidemark(page)
  await open(app.url)
  await expect(events('are you back?')).toContainText('handled', {timeout: 30_000})
  await choose(events('synthetic reset'))
  await page.getByRole('button', {name: 'table'}).click()
  await waitForIdle()
  await looksRight(page, 'table', TWO_WAYS)
  await page.getByRole('tab', {name: /^Gaps/}).click()
  await looksRight(page, 'gaps', TWO_WAYS)
  await page.getByRole('tab', {name: /^Callbacks/}).click()
  await looksRight(page, 'callbacks', TWO_WAYS)
})

test('a source that is held, and its event', async ({page, startApp}) => {
  const app = await startApp()
  await watchScenario(app, 'releases', 'poison-frame')
  const {open, source, inspector, waitForIdle} = createTidemark(page)
  await open(app.url)
  await expect(source('releases')).toContainText('held', {timeout: 30_000})
  await source('releases').click()
  await looksRight(page, 'held-source', TWO_WAYS)
  await inspector.getByRole('button', {name: 'Show the event it is held at'}).click()
  await waitForIdle()
  await looksRight(page, 'held', EVERY_WAY)
})

test('a numbered stream: its form, its past, and held without its store', async ({tidemark, startNumbered}) => {
  const {page, source, inspector, waitForIdle} = tidemark
  const server = await startNumbered('still')
  for (const text of ['flood begins', 'half tide', 'high water'])
    server.act({kind: 'event', event: {kind: 'note', text}})
  server.act({kind: 'snapshot', reason: 'tool call: read_gauge'})
  await page.getByRole('main').getByRole('button', {name: 'Watch a numbered stream'}).click()
  await page.getByLabel('Address').fill(`127.0.0.1:${server.lines}`)
  await page.getByRole('button', {name: 'Test connection'}).click()
  await page.getByText('Read 5 messages').waitFor()
  await looksRight(page, 'numbered-form', TWO_WAYS)
  await page.getByRole('button', {name: 'Save and watch'}).click()
  await expect(source(`127.0.0.1:${server.lines}`)).toContainText('gen 2 · 0')

  await page.getByRole('tab', {name: 'History'}).click()
  await page.getByRole('button', {name: 'From the beginning'}).click()
  await page
    .getByRole('table', {name: /^What the server sent/})
    .getByRole('button', {name: '{1, 1}'})
    .click()
  await waitForIdle()
  await looksRight(page, 'numbered-history', TWO_WAYS)
  await page.getByRole('tab', {name: 'Timeline'}).click()
  server.act({kind: 'restart', store: 'lost'})
  await inspector.getByRole('button', {name: 'Show the event it is held at'}).click()
  await waitForIdle()
  await looksRight(page, 'numbered-held', TWO_WAYS)
})

test('a numbering that began anew: kept and held again, kept with the store restored, and taken', async ({
  tidemark,
  startNumbered,
}) => {
  const {page, source, inspector, events, choose, waitForIdle} = tidemark
  const server = await startNumbered('still')
  const grow = (...texts: readonly string[]) => {
    for (const text of texts) server.act({kind: 'event', event: {kind: 'note', text}})
    server.act({kind: 'snapshot', reason: 'tool call: read_gauge'})
  }
  const showHeld = async () => {
    await source('gauge').click()
    await inspector.getByRole('button', {name: 'Show the event it is held at'}).click()
    await waitForIdle()
  }
  await page.getByRole('main').getByRole('button', {name: 'Watch a numbered stream'}).click()
  await page.getByLabel('Address').fill(`127.0.0.1:${server.lines}`)
  await page.getByLabel('Name').fill('gauge')
  await page.getByRole('button', {name: 'Test connection'}).click()
  await page.getByRole('button', {name: 'Save and watch'}).click()
  await expect(source('gauge')).toContainText('gen 1 · 0')
  grow('flood begins', 'half tide', 'high water')
  grow('ebb begins', 'half tide')
  await expect(source('gauge')).toContainText('gen 3 · 0')

  server.act({kind: 'restart', store: 'lost'})
  await expect(source('gauge')).toContainText('held', {timeout: 30_000})
  await showHeld()
  await inspector.getByRole('button', {name: 'Keep it and ask again'}).click()
  await expect(inspector).toContainText('you kept the old numbering')
  await expect(source('gauge')).toContainText('held', {timeout: 30_000})
  await looksRight(page, 'numbered-kept', EVERY_WAY)

  await showHeld()
  grow('flood begins', 'half tide', 'high water')
  grow('ebb begins', 'half tide')
  grow('low water')
  await inspector.getByRole('button', {name: 'Keep it and ask again'}).click()
  await expect(source('gauge')).toContainText('gen 4 · 0', {timeout: 30_000})
  await source('gauge').click()
  await looksRight(page, 'numbered-restored', TWO_WAYS)

  server.act({kind: 'restart', store: 'lost'})
  await expect(source('gauge')).toContainText('held', {timeout: 30_000})
  await showHeld()
  await inspector.getByRole('button', {name: 'Take the new numbering'}).click()
  await expect(inspector).toContainText('the new numbering was taken here')
  grow('flood begins', 'half tide')
  await expect(source('gauge')).toContainText('gen 2 · 0', {timeout: 30_000})
  await looksRight(page, 'numbered-taken', EVERY_WAY)
  await source('gauge').click()
  await waitForIdle()
  await looksRight(page, 'numbered-generations', EVERY_WAY)
  await choose(events('new numbering taken'))
  await page.getByRole('button', {name: 'table', exact: true}).click()
  await waitForIdle()
  await looksRight(page, 'numbered-table', TWO_WAYS)
  await page.getByRole('tab', {name: /^Gaps/}).click()
  await looksRight(page, 'numbered-ledger', TWO_WAYS)
})

test('a session of Prime Agent: where it is looked for, its two generations, and what was not seen', async ({
  tidemark,
  startDaemon,
}) => {
  test.slow() // that the worker is gone is found by asking, which is done rarely
  const {page, inspector, waitForIdle} = tidemark
  const {socketPath} = await startDaemon('reopen', 4)
  await page.getByRole('button', {name: 'Prime sessions and sockets'}).click()
  await page.getByLabel('Path of another socket').fill(socketPath)
  await page.getByRole('button', {name: 'Look there too'}).click()
  await page.getByRole('button', {name: 'Watch tide tables'}).waitFor()
  await looksRight(page, 'prime-daemons', TWO_WAYS)
  await page.getByRole('button', {name: 'Watch tide tables'}).click()
  const generations = inspector.getByRole('table', {name: 'Generations, newest first'})
  await expect(generations.getByRole('row')).toHaveCount(3, {timeout: 90_000})
  await waitForIdle()
  await looksRight(page, 'prime', TWO_WAYS)
})

test('the list of keys', async ({tidemark: {page}}) => {
  await page.keyboard.press('?')
  await looksRight(page, 'keys', TWO_WAYS)
})

/** Nothing over anything else, nothing out of sight, no rule of accessibility broken. */
async function looksRight(page: Page, name: string, ways: typeof EVERY_WAY | typeof TWO_WAYS): Promise<void> {
  for (const {size, theme} of ways) {
    await page.setViewportSize(size)
    await page.emulateMedia({colorScheme: theme, reducedMotion: 'reduce'})
    const shown = `${name}-${size.width}-${theme}`
    await page.screenshot({path: join(SCREENS, `${shown}.png`)})
    expect.soft(await findOverflows(page), `${shown}: out of sight`).toEqual([])
    expect.soft(await findOverlaps(page), `${shown}: text over text`).toEqual([])
    // Of what axe looks at, a theme changes the colours and a size next to nothing, and it takes its time.
    if (size === WIDE || ways === TWO_WAYS) expect.soft(await findBarriers(page), shown).toEqual([])
  }
}

async function findBarriers(page: Page): Promise<readonly string[]> {
  const axe = new AxeBuilder({page}).setLegacyMode(true) // the page has no frames of another origin
  const {violations} = await axe.options({resultTypes: ['violations']}).analyze()
  return violations.flatMap(({id, nodes}) => nodes.map(({html}) => `${id}: ${html.slice(0, 200)}`))
}

/**
 * The picture in the README, made anew where it is asked for: TIDEMARK_SCREENSHOT=docs/tidemark.png. Some seconds later than
 * the others, so that the timeline is full and a callback is pending.
 */
async function forReadme({page, source}: Tidemark): Promise<void> {
  const path = process.env['TIDEMARK_SCREENSHOT']
  if (path === undefined) return
  await page.setViewportSize(WIDE)
  await page.emulateMedia({colorScheme: 'dark', reducedMotion: 'reduce'})
  await source(/pending 1\.\d s/).waitFor({timeout: 60_000})
  await page.screenshot({path})
}
