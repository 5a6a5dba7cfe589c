import {expect} from '@playwright/test'
import {test} from './fixtures.ts'
import {createTidemark, type Tidemark} from './tidemark.ts'

test('an empty profile offers the demo before anything else', async ({tidemark: {page, board}}) => {
  const offers = page.getByRole('main').getByRole('heading', {level: 3})
  await expect(offers.first()).toHaveText('Start the demo')
  await expect(page.getByRole('main').getByRole('button', {name: 'Watch a Switch agent'})).toBeVisible()
  await expect(board).toContainText('None yet')
})

test('within a minute of one click a newcomer has seen what a stream can do to a cursor', async ({tidemark}) => {
  const {page, events, choose, inspector, startDemo, source} = tidemark
  await startDemo()
  const minute = {timeout: 60_000}

  await test.step('the position grows room by room; a callback is pending, then resolves', async () => {
    const slow = events('three pages still mention 2.3')
    const resolves = async (): Promise<void> => {
      await slow.filter({hasText: 'pending'}).waitFor()
      await expect(slow).toContainText('handled')
    }
    await Promise.all([resolves(), everyCoordinateGrows(tidemark)])
  })
  await test.step('one is rejected, and comes again as attempt 2', async () => {
    await expect(events('@ben: ping', 'rejected')).toHaveCount(1)
    await expect(events('@ben: ping', 'handled')).toContainText(/handled\s*2$/)
  })
  await test.step('a gap replaces the position, and the next own event takes s to 3', async () => {
    await expect(events('the bridge lost its events')).toContainText('replaced', minute)
    await expect(events('s 3', 'task_delegate')).toContainText('handled')
  })
  await test.step('an unknown frame is discarded, another is malformed', async () => {
    await expect(events('s 4', 'presence_hint')).toContainText('discarded')
    await expect(events('not JSON')).toContainText('malformed')
  })
  await test.step('the server evicts the connection, and it is opened again', async () => {
    await expect(events('evicted')).toHaveCount(1)
    await expect(events('moved the docs talk back in here')).toContainText('handled', minute)
    await expect(source(/Demo/)).toContainText('attached')
  })

  // From here on the newcomer looks closer. Choosing an event makes the list stand still.
  await test.step('the gap took 18 to 2 and 43 to 7, and removed a room: in the inspector, and on the timeline', async () => {
    await choose(events('the bridge lost its events'))
    await expect(inspector.getByRole('heading', {name: 'Gap, cursor moved back'})).toBeVisible()
    await page.getByRole('button', {name: 'table'}).click()
    const marks = page.getByRole('table', {name: /^Timeline of/}).getByRole('row')
    for (const step of ['18 → 2', '43 → 7', '9 → removed'])
      await expect(marks.filter({hasText: /(replaced|removed) by a gap/}).filter({hasText: step})).toHaveCount(1)
  })
  await test.step('the unknown frame moved the position', async () => {
    await choose(events('presence_hint'))
    const moved = inspector.getByRole('table', {name: 'Steps of the move'})
    await expect(moved.getByRole('row', {name: 's 3 4'})).toBeVisible()
  })
  await test.step('the malformed one moved nothing', async () => {
    await choose(events('not JSON'))
    await expect(inspector).toContainText('No callback ran and the position did not move')
    await expect(inspector.getByRole('table', {name: 'Steps of the move'})).toHaveCount(0)
  })
})

test('serve --demo starts in the demo', async ({page, startApp}) => {
  const {url} = await startApp('--demo')
  const tidemark = createTidemark(page)
  await tidemark.open(url)
  await expect(tidemark.source(/Demo: release-bot/)).toBeVisible()
  await expect(tidemark.events('message', 'handled').first()).toBeVisible()
})

async function everyCoordinateGrows({position}: Tidemark): Promise<void> {
  const first: Record<string, number> = {}
  const grown = async (): Promise<readonly string[]> => {
    const now = Object.entries(await position())
    for (const [key, value] of now) first[key] ??= value
    return now.filter(([key, value]) => value > (first[key] ?? 0)).map(([key]) => key)
  }
  await expect.poll(grown).toEqual(['s', 'r:room-a', 'r:room-b'])
}
