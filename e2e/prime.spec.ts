import {expect, type Page} from '@playwright/test'
import {test} from './fixtures.ts'
import type {Tidemark} from './tidemark.ts'

/** A session that says nothing is asked for its state only now and then. In ms. */
const FOUND_BY_ASKING = 90_000

test('a session is watched by a click, once what that does to it was said', async ({tidemark, startDaemon}) => {
  const {page, board, events} = tidemark
  const {socketPath} = await startDaemon('turn', 4)
  await lookAt(page, socketPath)
  await expect(page.getByText('one attached client more')).toBeVisible()
  const row = sessions(page, socketPath).getByRole('row', {name: 'tide tables'})
  await expect(row).toContainText('/home/dev/project')
  await expect(row).toContainText('idle')
  await watch(page)
  await expect(board.getByRole('button', {name: /^tide tables/})).toContainText('attached')
  await expect(events('message_end', 'handled').first()).toBeVisible()
  await expect(board.getByRole('button', {name: /^tide tables/})).toContainText(/gen [0-9a-f]{4}… · \d+/)
})

test('numbers that never came are a hole: what was said stands beside what was seen', async ({
  tidemark,
  startDaemon,
}) => {
  const {page, inspector} = tidemark
  const {socketPath} = await startDaemon('hole', 4)
  await lookAt(page, socketPath)
  await watch(page)
  await page.getByRole('tab', {name: 'Gaps 0 · 1 hole'}).click()
  const holes = page.getByRole('table', {name: 'Holes, newest first'})
  await expect(holes.getByRole('row').nth(1)).toContainText('1 not seen')
  await holes.getByRole('row').nth(1).getByRole('button').click()
  await expect(inspector.getByRole('heading', {name: 'Hole: 1 number not seen'})).toBeVisible()
  await expect(inspector).toContainText('after a hole')
  await expect(inspector).toContainText('not yet a loss')
  await expect(inspector).toContainText('nothing: an event tells only its own number')
})

test('a worker that is gone without a word is found by asking, and told as that', async ({tidemark, startDaemon}) => {
  const {page, board, inspector} = tidemark
  const {socketPath} = await startDaemon('crash', 4)
  await lookAt(page, socketPath)
  await watch(page)
  await expect(board).toContainText('1 client attached')
  await expect(board).toContainText('Worker gone, no close sent', {timeout: FOUND_BY_ASKING})
  // What it last said is not told as what is.
  await expect(board).not.toContainText('client attached')
  await expect(inspector.getByRole('heading', {name: 'Session, as last heard'})).toBeVisible()
})

test('a session that was opened again is one source with two generations', async ({tidemark, startDaemon}) => {
  const {page, inspector, source} = tidemark
  const {socketPath} = await startDaemon('reopen', 4)
  await lookAt(page, socketPath)
  await watch(page)
  const generations = inspector.getByRole('table', {name: 'Generations, newest first'})
  await expect(generations.getByRole('row')).toHaveCount(3, {timeout: FOUND_BY_ASKING})
  await expect(generations.getByRole('row').nth(1)).toContainText('the cursor is in it')
  await expect(generations.getByRole('row').nth(2)).toContainText('retired')
  await expect(source(/^tide tables/)).toHaveCount(1)
  await page.getByRole('button', {name: 'table', exact: true}).click()
  const marks = page.getByRole('table', {name: /^Timeline of/})
  await expect(marks.getByRole('row', {name: /generation [0-9a-f]{12}, retired/})).toBeVisible()
})

test('a session that another one replaced leads to it', async ({tidemark, startDaemon}) => {
  const {page, inspector, source} = tidemark
  const {socketPath} = await startDaemon('replace', 4)
  await lookAt(page, socketPath)
  await watch(page)
  await expect(source(/^storm log/)).toContainText('attached')
  await source(/^tide tables/).click()
  await expect(inspector).toContainText('The session was replaced by another one')
  await inspector.getByRole('button', {name: 'Show “storm log”'}).click()
  await expect(inspector.getByRole('heading', {name: 'storm log'})).toBeVisible()
})

test('another protocol is named, and nothing of it is offered', async ({tidemark, startDaemon}) => {
  const {page} = tidemark
  const {socketPath} = await startDaemon('version-8', 4)
  await lookAt(page, socketPath)
  await expect(sessions(page, socketPath)).toContainText(/Unsupported protocol.*8/)
  await expect(sessions(page, socketPath).getByRole('button')).toHaveCount(0)
})

test('a part of a huge transcript is fetched piece by piece, and shown as it was sent', async ({
  tidemark,
  startDaemon,
}) => {
  const {page, inspector, events, choose} = tidemark
  const {socketPath} = await startDaemon('big-transcript', 4)
  await lookAt(page, socketPath)
  await watch(page)
  await choose(events('session_snapshot_chunk').first())
  await expect(inspector).toContainText('only a part of the bytes is here')
  const more = inspector.getByRole('button', {name: 'Fetch more'})
  await expect(async () => {
    await more.click()
    await expect(more).toHaveCount(0, {timeout: 1_000})
  }).toPass()
  await expect(inspector).not.toContainText('only a part of the bytes is here')
  await expect(inspector.locator('.json')).toContainText('snapshotId')
})

async function lookAt(page: Page, socket: string): Promise<void> {
  await page.getByRole('button', {name: 'Prime sessions and sockets'}).click()
  await page.getByLabel('Path of another socket').fill(socket)
  await page.getByRole('button', {name: 'Look there too'}).click()
}

function sessions(page: Tidemark['page'], socket: string) {
  return page.getByRole('region', {name: `Daemon at ${socket}`})
}

async function watch(page: Page): Promise<void> {
  await page.getByRole('button', {name: 'Watch tide tables'}).click()
}
