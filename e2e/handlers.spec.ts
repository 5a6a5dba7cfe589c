import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, type Locator, type Page} from '@playwright/test'
import type {DemoServer} from '../electron/demo/server.ts'
import {type Handler, USUAL_HANDLER} from '../shared/handlers/handler.ts'
import {ask} from './ask.ts'
import {test} from './fixtures.ts'
import {isAlive} from './is-alive.ts'
import type {RunningApp} from './running-app.ts'
import {createTidemark} from './tidemark.ts'

/** On a loaded machine. */
const SLOW = {timeout: 60_000}

/** Its own identity on a bridge that says something every second. */
async function watchBridge(app: RunningApp, bridge: DemoServer): Promise<void> {
  const settings = {
    kind: 'switch',
    url: bridge.url,
    agentId: bridge.agentId,
    watchAs: 'own',
    startFrom: 'head',
  } as const
  const added = await ask(app, 'sources.add', {name: 'releases', settings, token: bridge.token})
  if (!added.ok) throw new Error(JSON.stringify(added.error))
}

interface Typed {
  readonly name: string
  readonly argv: readonly string[]
}

async function typeCommand(page: Page, {name, argv}: Typed): Promise<Locator> {
  await page.getByRole('button', {name: 'Add a handler'}).click()
  const form = page.getByRole('form', {name: 'A new handler'})
  await expect(form).toContainText('It needs a name, ')
  await form.getByLabel('Name', {exact: true}).fill(name)
  await form.getByLabel('Program and arguments').fill(argv.join('\n'))
  return form
}

test('a command is tried on a past event, added, run for each frame, and holds the source where it fails', async ({
  page,
  startApp,
  startBridge,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-door-'))
  const shut = join(folder, 'shut')
  const script = `
    if (require('fs').existsSync(${JSON.stringify(shut)})) { console.error('the door is shut'); process.exit(7) }
    let text = ''; process.stdin.on('data', (more) => (text += more)).on('end', () => {
      const {event, attempt, test} = JSON.parse(text); console.log('done with', event, attempt, test === true)
    })`.replaceAll('\n', ' ')
  const bridge = await startBridge('steady', 1)
  const app = await startApp()
  await watchBridge(app, bridge)
  const tidemark = createTidemark(page)
  const {source, events, inspector, choose} = tidemark
  await tidemark.open(app.url)
  await expect(events('handled').first()).toBeVisible()
  await source('releases').click()
  await expect(inspector).toContainText('Nothing of yours runs for its frames')

  await test.step('tried before it is kept: it really runs, and nothing is recorded', async () => {
    const form = await typeCommand(page, {name: 'door', argv: [process.execPath, '-e', script]})
    await form.getByRole('button', {name: 'Run the test'}).click()
    await expect(form.getByRole('status')).toContainText('door: resolved')
    await form.getByText('What it wrote').click()
    await expect(form.getByRole('status')).toContainText('done with')
    await expect(form.getByRole('status')).toContainText('1 true')
    await form.getByLabel('Attempts').fill('2')
    await form.getByLabel('First pause').fill('0.1')
    await form.getByRole('button', {name: 'Add it'}).click()
    await expect(inspector.getByRole('listitem', {name: 'door'})).toContainText('every event and every gap')
  })
  await test.step('from then on it runs for each frame, with what it did beside it', async () => {
    await expect(async () => {
      const follow = page.getByRole('button', {name: 'Follow'}) // there where the list stands still
      if (await follow.isVisible()) await follow.click()
      await choose(events('handled').first())
      await expect(inspector).toContainText('door: resolved', {timeout: 1_000})
    }).toPass()
    await expect(inspector).toContainText('exit code 0')
    await inspector.getByRole('button', {name: 'Close the event'}).click()
    await page.getByRole('button', {name: 'Follow'}).click()
  })
  await test.step('where it fails twice, the source is held, and the ledger says with what', async () => {
    writeFileSync(shut, '')
    await expect(source('releases')).toContainText('held')
    await page.getByRole('tab', {name: /Callbacks/}).click()
    const ledger = page.getByRole('table', {name: /Callbacks that are open/})
    const held = ledger.getByRole('row').filter({hasText: 'door: it ended with exit code 7'}).first()
    await expect(held).toContainText('rejected after')
    await expect(held).toContainText('exit code 7')
    await choose(held)
    await expect(inspector).toContainText('Held here. Nothing is read until you decide.')
    await inspector.getByText('What it wrote').last().click()
    await expect(inspector).toContainText('the door is shut')
  })
  await test.step('a retry on the user’s word runs it again, and says that it did', async () => {
    rmSync(shut)
    await inspector.getByRole('button', {name: 'Retry'}).click()
    await expect(inspector).toContainText('its effect may have happened more than once')
    await expect(source('releases')).toContainText('attached')
    const ledger = page.getByRole('table', {name: /Callbacks that are open/})
    await expect(ledger.getByRole('row').filter({hasText: 'handled later'}).first()).toBeVisible()
  })
  rmSync(folder, {recursive: true, force: true})
})

test('handlers keep their order, are moved, changed and removed, and a notification is shown in the page', async ({
  page,
  startApp,
  startBridge,
}) => {
  const bridge = await startBridge('steady', 1)
  const app = await startApp()
  await watchBridge(app, bridge)
  const tidemark = createTidemark(page)
  const {source, inspector} = tidemark
  await tidemark.open(app.url)
  await source('releases').click()
  const names = inspector.getByRole('listitem').filter({has: page.getByRole('button', {name: 'Test'})})

  await test.step('a notification for one event of one room', async () => {
    await page.getByRole('button', {name: 'Add a handler'}).click()
    const form = page.getByRole('form', {name: 'A new handler'})
    await form.getByLabel('Name', {exact: true}).fill('builds')
    await form.getByLabel('Shows a notification').check()
    await form.getByText('Which frames it runs for').click()
    await form.getByLabel('Rooms, one a line').fill('room-a')
    await form.getByLabel('Events, one a line').fill('task_delegate')
    await form.getByRole('button', {name: 'Add it'}).click()
    await expect(names).toContainText('room:room-a event:task_delegate')
    const shown = page.getByRole('region', {name: 'Notifications'})
    await expect(shown).toContainText('releases: builds')
    await shown
      .getByRole('button', {name: /Put away/})
      .first()
      .click()
  })
  await test.step('a webhook needs its key', async () => {
    await page.getByRole('button', {name: 'Add a handler'}).click()
    const form = page.getByRole('form', {name: 'A new handler'})
    await form.getByLabel('Name', {exact: true}).fill('hook')
    await form.getByLabel('Sends a webhook').check()
    await form.getByLabel('Address', {exact: true}).fill(`${bridge.url}/nowhere`)
    await expect(form).toContainText('A webhook needs a key to sign with.')
    await form.getByLabel('Key to sign with').fill('the key')
    await form.getByText('Which frames it runs for').click()
    await form.getByLabel('Events, one a line').fill('never')
    await form.getByRole('button', {name: 'Add it'}).click()
    await expect(names).toContainText([/builds/, /hook/])
  })
  await test.step('moved up, changed without its key being asked for again, removed', async () => {
    await page.getByRole('button', {name: 'Move hook up'}).click()
    await expect(names).toContainText([/hook/, /builds/])
    await names.first().getByRole('button', {name: 'Change'}).click()
    const form = page.getByRole('form', {name: 'Change hook'})
    await form.getByLabel('Deadline').fill('5')
    await form.getByRole('button', {name: 'Save'}).click()
    await expect(names.first()).toContainText('Ended after 5 s')
    await names.first().getByRole('button', {name: 'Remove'}).click()
    await names.first().getByRole('button', {name: 'Remove it'}).click()
    await expect(names).toHaveCount(1)
  })
})

/** A handler that says where it is, and goes on for ever, deaf to SIGTERM. */
function endless(file: string): Handler {
  const script = `trap "" TERM; sleep 3600 & echo "$$ $!" >> ${file}; wait`
  const action = {kind: 'command', argv: ['/bin/sh', '-c', script], env: [], hasSecret: false} as const
  return {id: 'endless', name: 'endless', rule: {}, ...USUAL_HANDLER, action}
}

/** The processes of each start, as they wrote themselves down. */
function startsIn(file: string): readonly (readonly number[])[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
}

for (const how of ['stop', 'kill'] as const)
  test(`a command that runs when the app ends (${how}) ends with it, and comes again as the next attempt`, async ({
    startApp,
    startBridge,
    troubles,
  }) => {
    troubles.expect(/WebSocket connection to .* failed/) // in host mode the page of the app that ended looks for it
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-endless-'))
    const file = join(folder, 'starts')
    const bridge = await startBridge('steady', 1)
    const app = await startApp()
    await watchBridge(app, bridge)
    const list = await ask(app, 'sources.list', {})
    const source = list.ok ? (list.value[0]?.id ?? '') : ''
    const set = await ask(app, 'handlers.set', {source, handlers: [endless(file)], secrets: []})
    expect(set.ok).toBe(true)
    await expect.poll(() => startsIn(file).length, SLOW).toBe(1)
    await app[how]()
    await expect.poll(() => startsIn(file)[0]?.some(isAlive), SLOW).toBe(false)

    const again = await startApp()
    await expect.poll(() => startsIn(file).length, SLOW).toBe(2)
    const tidemark = createTidemark(again.page)
    await tidemark.open(again.url)
    await tidemark.source('releases').click()
    await again.page.getByRole('tab', {name: /Callbacks/}).click()
    const row = again.page
      .getByRole('table', {name: /Callbacks that are open/})
      .getByRole('row')
      .nth(1)
    await expect(row).toContainText('its effect may have run before, and may run twice')
    await row.click()
    await expect(tidemark.inspector).toContainText('aborted')
    await expect(tidemark.inspector).toContainText('pending for')
    await again.stop()
    await expect.poll(() => startsIn(file).flat().some(isAlive), SLOW).toBe(false)
    rmSync(folder, {recursive: true, force: true})
  })
