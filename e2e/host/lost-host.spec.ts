import {expect} from '@playwright/test'
import {ask, watchScenario} from '../ask.ts'
import {test} from '../fixtures.ts'
import {createTidemark} from '../tidemark.ts'

test('a page whose host was killed says so; what it shows was told last, and turns out to be true', async ({
  page,
  startApp,
  troubles,
}) => {
  troubles.expect(/WebSocket connection to .* failed/) // it looks for its host
  const first = await startApp()
  const {open, startDemo, events, position} = createTidemark(page)
  await open(first.url)
  await startDemo()
  await events('three pages still mention 2.3', 'pending').waitFor()
  await first.kill()
  await expect(page.getByRole('contentinfo')).toContainText('not reachable')
  const shown = await position()

  const second = await startApp()
  const listed = await ask(second, 'sources.list', {})
  const [source] = listed.ok ? listed.value : []
  const held = new Map(source?.position)
  for (const [coordinate, value] of Object.entries(shown))
    expect(held.get(coordinate), coordinate).toBeGreaterThanOrEqual(value)
})

test('nothing can be decided on a page whose host is gone, and what was typed stays', async ({
  page,
  startApp,
  troubles,
}) => {
  troubles.expect(/WebSocket connection to .* failed/) // it looks for its host
  const app = await startApp()
  await watchScenario(app, 'releases', 'poison-frame')
  const {open, source, inspector} = createTidemark(page)
  await open(app.url)
  await expect(source('releases')).toContainText('held', {timeout: 30_000})
  await source('releases').click()
  await inspector.getByRole('button', {name: 'Show the event it is held at'}).click()
  const reason = inspector.getByLabel('Reason for the skip')
  await reason.fill('the release went out by hand')
  await app.kill()
  await expect(inspector).toContainText('The engine is not reached')
  await expect(inspector.getByRole('button', {name: 'Retry'})).toBeDisabled()
  await expect(inspector.getByRole('button', {name: 'Skip this event'})).toBeDisabled()
  await expect(reason).toHaveValue('the release went out by hand')
})

test('the address that a host prints works in a tab that was open before', async ({page, startApp, troubles}) => {
  troubles.expect(/WebSocket connection to .* failed/) // it is turned away
  const {url} = await startApp()
  const tidemark = createTidemark(page)
  await page.goto(url.replace(/token=.*/, 'token=of-an-earlier-start'))
  await expect(page.getByRole('contentinfo')).toContainText('does not take this page’s token')
  await expect(page.getByRole('main')).toContainText('Open the address that it printed when it started')
  await expect(page.getByText(/No source yet|source is not known/)).toHaveCount(0)
  await tidemark.open(url) // changes the fragment alone
  await tidemark.startDemo()
})
