import {join} from 'node:path'
import {expect, type Page} from '@playwright/test'
import {test} from './fixtures.ts'

test('a numbered stream whose cursor was looked for in the wrong place is told the right one', async ({
  tidemark: {page, source, events, inspector},
  startNumbered,
}) => {
  const server = await startNumbered('still', {place: ['meta', 'cursor']})
  await page.getByRole('main').getByRole('button', {name: 'Watch a numbered stream'}).click()
  await page.getByLabel('Address').fill(`127.0.0.1:${server.lines}`)
  await page.getByLabel('Name').fill('the feed')
  await page.getByRole('button', {name: 'Save without a working test'}).click()
  await expect(events('', 'control').first()).toBeVisible()

  await change(page)
  await expect(page.getByRole('heading', {name: 'Change “the feed”'})).toBeVisible()
  await expect(page.getByLabel('Address')).toBeDisabled()
  await expect(page.getByLabel('Cursor at')).toHaveValue('cursor')
  await page.getByLabel('Cursor at').fill('meta.cursor')
  await page.getByRole('button', {name: 'Test connection'}).click()
  await expect(page.getByText('Reached. Read 1 message with cursor {1, 0}.')).toBeVisible()
  await page.getByRole('button', {name: 'Save', exact: true}).click()
  await expect(source('the feed')).toContainText('gen 1 · 0')
  await expect(inspector).toContainText('cursor at “meta.cursor”')

  server.act({kind: 'event', event: {kind: 'note', text: 'high water'}})
  await expect(events('{1, 1} high water', 'handled')).toBeVisible()
  await expect(inspector).toContainText('attached')
})

test('a bridge that moved is found again, and gets the token that is given for it', async ({
  tidemark: {page, source, inspector, position},
  startBridge,
}) => {
  const [bridge, moved] = [await startBridge('steady', 5), await startBridge('steady', 5)]
  await page.getByRole('main').getByRole('button', {name: 'Watch a Switch agent'}).click()
  await page.getByLabel('Bridge URL').fill(bridge.url)
  await page.getByLabel('Agent id').fill(bridge.agentId)
  await page.getByLabel('Token').fill(bridge.token)
  await page.getByRole('button', {name: 'Test connection'}).click()
  await page.getByRole('button', {name: 'Save and watch'}).click()
  await expect(source(bridge.agentId)).toContainText('attached × fresh')
  await expect.poll(async () => (await position())['s'] ?? 0).toBeGreaterThan(0)
  await bridge.close()

  await change(page)
  await expect(page.getByLabel('Agent id')).toBeDisabled()
  await page.getByLabel('Bridge URL').fill(moved.url)
  await expect(page.getByText('Still needed: the token for this URL.')).toBeVisible()
  await page.getByLabel('Token').fill(moved.token)
  await page.getByRole('button', {name: 'Test connection'}).click()
  await page.getByRole('button', {name: 'Save', exact: true}).click()
  await expect(inspector).toContainText(moved.url)
  await expect(source(bridge.agentId)).toContainText('attached × fresh')
  await expect(page.locator('body')).not.toContainText(moved.token)
})

test('a session is gone on with where its daemon listens now', async ({
  tidemark: {page, source, inspector},
  startDaemon,
}) => {
  const [daemon, moved] = [await startDaemon('still', 1), await startDaemon('still', 1)]
  await page.getByRole('button', {name: 'Prime sessions and sockets'}).click()
  await page.getByLabel('Path of another socket').fill(daemon.socketPath)
  await page.getByRole('button', {name: 'Look there too'}).click()
  await page.getByRole('button', {name: /^Watch tide tables/}).click()
  await expect(source(/^tide tables/)).toContainText('attached')
  await daemon.close()

  await change(page)
  const socket = page.getByLabel('Socket of the daemon')
  await expect(socket).toHaveValue(daemon.socketPath)
  await socket.fill(join(moved.socketPath, 'elsewhere.sock'))
  await page.getByRole('button', {name: 'Test connection'}).click()
  await expect(page.getByRole('button', {name: 'Save', exact: true})).toBeDisabled()
  await socket.fill(moved.socketPath)
  await page.getByRole('button', {name: 'Test connection'}).click()
  await expect(page.getByText('Reached: the daemon holds this session')).toBeVisible()
  await page.getByRole('button', {name: 'Save', exact: true}).click()
  await expect(inspector).toContainText(moved.socketPath)
  await expect(source(/^tide tables/)).toContainText('attached')
})

test('leaving the form changes nothing, and asks first where something is typed', async ({
  tidemark: {page, source},
  startNumbered,
}) => {
  const server = await startNumbered('still')
  await page.getByRole('main').getByRole('button', {name: 'Watch a numbered stream'}).click()
  await page.getByLabel('Address').fill(`127.0.0.1:${server.lines}`)
  await page.getByLabel('Name').fill('the feed')
  await page.getByRole('button', {name: 'Test connection'}).click()
  await page.getByRole('button', {name: 'Save and watch'}).click()
  await expect(source('the feed')).toContainText('gen 1 · 0')
  await change(page)
  await page.getByRole('button', {name: 'Back'}).click()
  await expect(page.getByRole('main', {name: 'Streams'})).toBeVisible()
  await change(page)
  await page.getByLabel('Type at').fill('kind')
  await page.getByRole('button', {name: 'Back'}).click()
  await expect(page.getByRole('main', {name: 'Change a source'})).toBeVisible()
})

async function change(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Change where and how it is watched'}).click()
}
