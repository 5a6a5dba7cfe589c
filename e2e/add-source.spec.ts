import {createServer} from 'node:net'
import {expect, type Page} from '@playwright/test'
import {serveElsewhere} from './elsewhere.ts'
import {test} from './fixtures.ts'

test('a Switch agent is watched under an identity of its own, once its bridge answered a test', async ({
  tidemark: {page, source, events, position, inspector},
  startBridge,
}) => {
  const bridge = await startBridge('steady', 5)
  await openForm(page)
  await expect(page.getByRole('radio', {name: /^Tidemark’s own/})).toBeChecked()
  await expect(page.getByText('Still needed: the bridge URL, the agent id, the token.')).toBeVisible()
  await fillForm(page, {url: bridge.url, agent: bridge.agentId, token: bridge.token})
  const save = page.getByRole('button', {name: 'Save and watch'})
  await expect(save).toBeDisabled()

  await page.getByRole('button', {name: 'Test connection'}).click()
  await expect(page.getByRole('status').filter({hasText: 'Reached'})).toContainText(
    `The stream answers as agent ${bridge.agentId}`,
  )
  await page.getByLabel('Name').fill('the release bot')
  await expect(save).toBeDisabled() // what was tested is no longer what would be saved
  await page.getByRole('button', {name: 'Test connection'}).click()
  await save.click()

  await expect(source('the release bot')).toContainText('attached × fresh')
  await expect(events('message', 'handled').first()).toBeVisible()
  await expect.poll(async () => (await position())['s']).toBeGreaterThan(5)
  await expect(inspector).toContainText('own identity')
  await expect(page.locator('body')).not.toContainText(bridge.token)
})

test('the watched agent’s own token is tried only after its side effects were read and accepted', async ({
  tidemark: {page, source},
  startBridge,
}) => {
  const bridge = await startBridge('steady', 5)
  await openForm(page)
  await fillForm(page, {url: bridge.url, agent: bridge.agentId, token: bridge.token})
  await page.getByRole('radio', {name: /^The watched agent’s/}).check()
  for (const effect of ['Presence', 'Rooms covered by a session', 'Role leases', 'Connections', 'Heartbeats', 'Counts'])
    await expect(page.getByRole('term').filter({hasText: effect})).toBeVisible()
  await expect(page.getByText(/^Still needed: your word/)).toBeVisible()
  await expect(page.getByRole('button', {name: /Test connection|Save/})).toHaveCount(0)

  await page.getByRole('checkbox', {name: /^I understand/}).check()
  await page.getByRole('button', {name: 'Test connection'}).click()
  await page.getByRole('button', {name: 'Save and watch'}).click()
  await expect(source(bridge.agentId)).toContainText('attached × fresh')
})

test('every way a test can fail has words of its own, and saves nothing', async ({
  tidemark: {page, board},
  startBridge,
}) => {
  const bridge = await startBridge('steady', 1)
  const elsewhere = await serveElsewhere()
  const given = {url: bridge.url, agent: bridge.agentId, token: bridge.token}
  await openForm(page)
  const failures = [
    [{...given, token: 'not-the-token'}, '401 from the bridge: the token was refused'],
    [{...given, url: `${bridge.url}/wrong`}, '401 from this address: no bridge is served under this path'],
    [{...given, url: elsewhere.url}, '404 from this address: not the answer of an agent bridge'],
    [{...given, url: await deadUrl()}, 'No answer from the bridge: nothing listens there (ECONNREFUSED)'],
  ] as const
  for (const [typed, words] of failures) {
    await fillForm(page, typed)
    await page.getByRole('button', {name: 'Test connection'}).click()
    const alert = page.getByRole('alert')
    await expect(alert).toContainText(words)
    await expect(alert).toContainText('Nothing was saved')
    await expect(page.getByRole('button', {name: 'Save and watch'})).toBeDisabled()
  }
  await fillForm(page, {...given, agent: 'somebody-else'})
  await page.getByRole('button', {name: 'Test connection'}).click()
  await expect(page.getByText('This token belongs to another agent than “somebody-else”')).toBeVisible()
  await expect(board).toContainText('None yet')
  elsewhere.close()
})

interface Typed {
  readonly url: string
  readonly agent: string
  readonly token: string
}

async function openForm(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', {name: 'Watch a Switch agent'}).click()
}

async function fillForm(page: Page, {url, agent, token}: Typed): Promise<void> {
  await page.getByLabel('Bridge URL').fill(url)
  await page.getByLabel('Agent id').fill(agent)
  await page.getByLabel('Token', {exact: true}).fill(token)
}

/** Where something listened a moment ago, and nothing does now. */
function deadUrl(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : undefined
      server.close(() => resolve(`http://127.0.0.1:${port}`))
    })
  })
}
