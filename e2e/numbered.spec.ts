import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, type Page} from '@playwright/test'
import {type Handler, USUAL_HANDLER} from '../shared/handlers/handler.ts'
import {ask} from './ask.ts'
import {test} from './fixtures.ts'
import {createTidemark, type Tidemark} from './tidemark.ts'

const note = (text: string) => ({kind: 'event', event: {kind: 'note', text}}) as const
const checkpoint = {kind: 'snapshot', reason: 'checkpoint'} as const

test('the numbered demo is a click away; its server comes back with its store, and without it the user decides', async ({
  tidemark,
}) => {
  const {page, source, inspector, events} = tidemark
  await page.getByRole('button', {name: 'Play a numbered stream'}).click()
  const gauge = source(/^Demo: tide gauge/)
  await expect(events('{1, 1} flood begins', 'handled')).toBeVisible()
  await expect(gauge).toContainText('gen 2', {timeout: 30_000})

  await test.step('restarted with its store it goes on behind the cursor: nothing comes twice, nothing is missing', async () => {
    await inspector.getByRole('button', {name: 'Restart with its store'}).click()
    await expect(inspector.getByRole('status')).toContainText('its numbers go on')
    await expect(gauge).toContainText('gen 3', {timeout: 30_000})
    await expect(page.getByRole('tab', {name: 'Gaps 0', exact: true})).toBeVisible()
    await expect(inspector.getByText('0 ignored')).toHaveCount(2)
  })
  await test.step('without it the source is held where its cursor was', async () => {
    await inspector.getByRole('button', {name: 'Lose its store'}).click()
    await expect(gauge).toContainText('held', {timeout: 30_000})
    await expect(gauge).toContainText('The server numbers anew, below our cursor')
    await inspector.getByRole('button', {name: 'Show the event it is held at'}).click()
    await expect(inspector).toContainText(/Our cursor is \{3, \d+\}\. This connection began with \{1, 0\}/)
    await expect(inspector.getByRole('button', {name: /Retry|Skip/})).toHaveCount(0)
  })
  await test.step('the old numbering, kept, is asked for again; the store is still lost', async () => {
    await inspector.getByRole('button', {name: 'Keep it and ask again'}).click()
    await expect(inspector.getByRole('heading', {name: 'snapshot, stale'})).toBeVisible()
    await expect(inspector).toContainText(
      /you kept the old numbering here, at \{3,\s\d+\}: this message, \{1,\s0\}, was/,
    )
    await expect(inspector).not.toContainText('From a generation that is over')
    await expect(gauge).toContainText('held', {timeout: 30_000})
    await expect(gauge).toContainText('gen 3')
    await expect(events('old numbering kept', '{1, 0}', 'stale')).toBeVisible()
    await expect(page.getByRole('tab', {name: 'Gaps 0 · 1 numbering', exact: true})).toBeVisible()
    await gauge.click()
    await inspector.getByRole('button', {name: 'Show the event it is held at'}).click()
  })
  await test.step('the new one, taken, is gone on with', async () => {
    await inspector.getByRole('button', {name: 'Take the new numbering'}).click()
    await expect(inspector.getByRole('heading', {name: 'snapshot, handled'})).toBeVisible()
    await expect(inspector).toContainText(
      /the new numbering was taken here, on your word: from \{3,\s\d+\} to \{1,\s0\}\. What the lost/,
    )
    await expect(inspector).toContainText('first of a new numbering')
    await expect(inspector).not.toContainText('opaque')
    await expect(events('new numbering taken', '{1, 0}', 'handled')).toBeVisible()
    await expect(gauge).toContainText(/gen 1 · [1-9]/, {timeout: 30_000})
  })
  await test.step('the generations of the lost numbering stay apart from those that bear their numbers now', async () => {
    await gauge.click()
    const generations = inspector.getByRole('table', {name: 'Generations, newest first'})
    const older = inspector.getByRole('button', {name: /^Show \d+ older one.*of a numbering that was given up$/})
    await older.click({timeout: 60_000}) // the demo goes on, so that the lost ones are folded away some time
    await expect(generations.getByRole('row', {name: /^3 .*of the numbering that was given up/})).toBeVisible()
    await expect(generations.getByRole('row', {name: /^1 .*of the numbering that was given up/})).toBeVisible()
    await expect(generations.getByRole('row', {name: /^1 .*passed by a higher one/})).toBeVisible()
    await expect(generations.getByRole('row', {name: /the cursor is in it/})).toHaveCount(1)
  })
  await test.step('the timeline tells both decisions, with the cursors between which they were made', async () => {
    for (let n = 0; n < 3; n++) await page.getByRole('button', {name: 'Zoom out'}).click()
    await page.getByRole('button', {name: 'table', exact: true}).click()
    const table = page.getByRole('table', {name: /^Timeline/})
    await expect(table.getByRole('row', {name: /new numbering taken.*from \{3, \d+\} back to \{1, 0\}/})).toBeVisible()
    await expect(table.getByRole('row', {name: /old numbering kept.*and \{1, 0\} is stale/})).toBeVisible()
  })
})

test('lines over a socket: where the cursor stands is tried out, and a restart of the server loses nothing', async ({
  tidemark: {page, source, events, inspector},
  startNumbered,
  profile,
}) => {
  const setup = {store: join(profile, 'their-store'), place: ['meta', 'cursor']}
  const server = await startNumbered('still', setup)
  const {lines} = server
  server.act(note('before anybody came'))
  await openForm(page)
  await expect(page.getByText('Still needed: the address of the socket.')).toBeVisible()
  await page.getByLabel('Address').fill(`127.0.0.1:${lines}`)
  await page.getByRole('button', {name: 'Test connection'}).click()
  await expect(page.getByRole('status').filter({hasText: 'Reached'})).toContainText('none has a cursor at “cursor”')

  await page.getByLabel('Cursor at').fill('meta.cursor')
  await expect(page.getByText('"meta":{"cursor":{"generation":5,"sequence":12}}')).toBeVisible()
  await expect(page.getByRole('button', {name: 'Save and watch'})).toBeDisabled() // what was tried is another form
  await page.getByRole('button', {name: 'Test connection'}).click()
  await expect(page.getByText('Read 2 messages from {1, 0} to {1, 1}.')).toBeVisible()
  await page.getByLabel('Name').fill('the feed')
  await page.getByRole('button', {name: 'Test connection'}).click()
  await page.getByRole('button', {name: 'Save and watch'}).click()
  await expect(events('{1, 1} before anybody came', 'handled')).toBeVisible()
  await expect(source('the feed')).toContainText('gen 1 · 1')

  await server.close()
  await expect(source('the feed')).toContainText('The server is not reached')
  const again = await startNumbered('still', {...setup, linePort: lines})
  again.act(note('while nobody was there'))
  again.act(checkpoint)
  await inspector.getByRole('button', {name: 'Try now'}).click()
  await expect(source('the feed')).toContainText('gen 2 · 0')
  await expect(events('{1, 2} while nobody was there', 'handled')).toHaveCount(1)
  await expect(events('{1, 1} before anybody came')).toHaveCount(1)
  expect(again.record().at(-1)).toMatchObject({
    asked: '{"resume":{"generation":1,"sequence":1},"future":"fail"}',
  })
})

test('a file, and server-sent events asked by Last-Event-ID', async ({
  tidemark: {page, source, events},
  startNumbered,
  profile,
}) => {
  const path = join(profile, 'feed.jsonl')
  await writeFile(path, '{"kind":"rise","generation":7,"sequence":0}\n{"kind":"fall","generation":7,"sequence":1}\n')
  await openForm(page)
  await page.getByRole('radio', {name: /in a file/}).check()
  await page.getByLabel('Path of the file').fill(path)
  await page.getByLabel('Cursor at').fill('')
  await page.getByLabel('Type at').fill('kind')
  await saveTested(page)
  await expect(source('feed.jsonl')).toContainText('gen 7 · 1')
  await expect(events('rise', 'handled')).toBeVisible()

  const server = await startNumbered('still')
  server.act(note('by event stream'))
  await page.getByRole('button', {name: '+ Source'}).click()
  await openForm(page)
  await page.getByRole('radio', {name: /Server-sent events/}).check()
  await page.getByLabel('URL of the stream').fill(server.sse)
  await page.getByLabel('Parameters of the URL').fill('')
  await page.getByLabel('Last-Event-ID').fill('{cursor}')
  await expect(page.getByText('Last-Event-ID: {"generation":5,"sequence":12}')).toBeVisible()
  await saveTested(page)
  await expect(source(new URL(server.sse).host)).toContainText('gen 1 · 1')
})

test('events that have their cursor in their id alone, asked for by the last of them', async ({
  tidemark: {page, source, events, inspector},
  startNumbered,
}) => {
  const server = await startNumbered('still', {place: {idBetween: '-'}})
  server.act(note('high water'))
  await openForm(page)
  await page.getByRole('radio', {name: /Server-sent events/}).check()
  await page.getByLabel('URL of the stream').fill(server.sse)
  await page.getByLabel('Cursor in').selectOption('the id of an event, as 5:12')
  await expect(page.getByLabel('Cursor at')).toHaveCount(0)
  await page.getByRole('button', {name: 'Test connection'}).click()
  await expect(page.getByRole('status').filter({hasText: 'Reached'})).toContainText('the id “1-0” is no cursor')

  await page.getByLabel('Cursor in').selectOption('the id of an event, as 5-12')
  await expect(page.getByText('id: 5-12, data: {"type":"event"}')).toBeVisible()
  await expect(page.getByText('Last-Event-ID: 5-12')).toBeVisible()
  await page.getByRole('button', {name: 'Test connection'}).click()
  await expect(page.getByText('Read 2 messages from {1, 0} to {1, 1}.')).toBeVisible()
  await page.getByRole('button', {name: 'Save and watch'}).click()
  await expect(events('{1, 1} high water', 'handled')).toBeVisible()
  await expect(inspector).toContainText('in the event’s id as generation-sequence')

  server.act({kind: 'hangUp'})
  await expect.poll(() => server.record().at(-1)?.asked, {timeout: 30_000}).toBe('/events 1-1')
  await expect(source(new URL(server.sse).host)).toContainText('gen 1 · 1')
})

test('a new numbering that was taken in vain can still be left, and the old one kept', async ({
  startApp,
  startNumbered,
}) => {
  const app = await startApp()
  const {page} = app
  const {open, source, inspector} = createTidemark(page)
  const server = await startNumbered('still')
  const from = {over: 'socket', address: `127.0.0.1:${server.lines}`, resume: '{"resume":{cursor}}'} as const
  const settings = {kind: 'numbered', from, cursorAt: 'cursor', typeAt: 'type', future: 'wait'} as const
  const added = await ask(app, 'sources.add', {name: 'the feed', settings})
  const id = added.ok ? added.value.source : ''
  await open(app.url)
  server.act(checkpoint)
  await expect(source('the feed')).toContainText('gen 2 · 0')
  server.act({kind: 'restart', store: 'lost'})
  await source('the feed').click()
  await inspector.getByRole('button', {name: 'Show the event it is held at'}).click()
  await ask(app, 'handlers.set', {source: id, handlers: [failing], secrets: []})
  await inspector.getByRole('button', {name: 'Take the new numbering'}).click()
  await expect(inspector).toContainText('This event is the first of the new numbering that you take')
  await expect(inspector.getByRole('button', {name: 'Retry'})).toBeEnabled()
  await expect(source('the feed')).toContainText('gen 2 · 0')
  await inspector.getByRole('button', {name: 'Keep it and ask again'}).click()
  await expect(inspector.getByRole('heading', {name: 'snapshot, stale'})).toBeVisible()
  await expect(inspector).toContainText(/you kept the old numbering here, at \{2,\s0\}/)
  await expect(source('the feed')).toContainText('The server numbers anew, below our cursor') // it is asked, and still does
})

const failing: Handler = {
  id: 'failing',
  name: 'failing',
  rule: {},
  ...USUAL_HANDLER,
  attempts: 1,
  action: {kind: 'command', argv: ['false'], env: [], hasSecret: false},
}

test('every way a numbered stream can fail has words, and saves nothing', async ({
  tidemark: {page, board},
  startNumbered,
}) => {
  const server = await startNumbered('still')
  await openForm(page)
  const alert = page.getByRole('alert')
  const tried = async (words: string | RegExp): Promise<void> => {
    await page.getByRole('button', {name: 'Test connection'}).click()
    await expect(alert).toContainText(words)
    await expect(alert).toContainText('Nothing was saved')
    await expect(page.getByRole('button', {name: 'Save and watch'})).toBeDisabled()
  }
  await page.getByLabel('Address').fill('/nowhere/feed.sock')
  await tried('ENOENT')
  await page.getByRole('radio', {name: /in a file/}).check()
  await page.getByLabel('Path of the file').fill('/nowhere/feed.jsonl')
  await tried('The file does not exist (yet)')
  await expect(alert).toContainText('There is nothing at /nowhere/feed.jsonl')
  await page.getByRole('radio', {name: /Server-sent events/}).check()
  await page.getByLabel('URL of the stream').fill(`${server.sse}/elsewhere`)
  await tried(/The server is not reached.*404/)
  await page.getByLabel('URL of the stream').fill(server.sse)
  await page.getByLabel('Parameters of the URL').fill('generation=x&sequence=y')
  await tried('The server refused how it was asked to go on')
  await expect(board).toContainText('None yet')
})

test('history from a cursor of one’s own: what is strictly greater, and the source’s cursor stays', async ({
  tidemark,
  startNumbered,
}) => {
  const {page, source, inspector} = tidemark
  const server = await startNumbered('still')
  for (const action of [note('a'), note('b'), checkpoint, note('c'), checkpoint]) server.act(action)
  await openForm(page)
  await page.getByLabel('Address').fill(`127.0.0.1:${server.lines}`)
  await page.getByLabel('Name').fill('the feed')
  await saveTested(page)
  await expect(source('the feed')).toContainText('gen 3 · 0')
  const frames = inspector.locator('dl > div').filter({hasText: /^Frames/})
  await expect(frames).toHaveText('Frames6')

  await page.getByRole('tab', {name: 'History'}).click()
  const sent = page.getByRole('table', {name: 'What the server sent, in its order'})
  const ask = async (generation: string, sequence: string): Promise<void> => {
    await page.getByLabel('From generation').fill(generation)
    await page.getByLabel('sequence', {exact: true}).fill(sequence)
    await page.getByRole('button', {name: 'Ask what comes after it'}).click()
  }
  await ask('1', '1')
  await expect(page.getByText('4 messages after {1, 1}.')).toBeVisible()
  await expect(sent.getByRole('rowheader')).toHaveText(['{1, 2}', '{2, 0}', '{2, 1}', '{3, 0}'])
  await sent.getByRole('button', {name: '{2, 1}'}).click()
  await expect(sent).toContainText('"text":"c"')
  await page.getByRole('button', {name: 'From the beginning'}).click()
  await expect(sent.getByRole('rowheader')).toHaveCount(6)
  await ask('9', '0')
  await expect(page.getByRole('alert')).toContainText('{9, 0} is ahead of everything the server knows')

  await expect(page.getByRole('main')).toContainText('it stands at {3, 0}')
  await expect(source('the feed')).toContainText('gen 3 · 0')
  await expect(frames).toHaveText('Frames6')
})

async function openForm(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', {name: 'Watch a numbered stream'}).click()
}

async function saveTested(page: Tidemark['page']): Promise<void> {
  await page.getByRole('button', {name: 'Test connection'}).click()
  await page.getByRole('button', {name: 'Save and watch'}).click()
}
