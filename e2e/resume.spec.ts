import {expect} from '@playwright/test'
import {test} from './fixtures.ts'
import {createTidemark} from './tidemark.ts'

test('after kill -9 in the middle of the demo nothing acknowledged is lost, and the restart of its server is told as a gap', async ({
  page,
  startApp,
  troubles,
}) => {
  troubles.expect(/WebSocket connection to .* failed/) // the page of the killed app looks for it
  const first = await startApp()
  const tidemark = createTidemark(page)
  const {events, choose, position, inspector, cells, source, startDemo} = tidemark
  await tidemark.open(first.url)
  await startDemo()
  // In the middle: this callback takes 2.5 s, so the process dies while it runs.
  await events('three pages still mention 2.3', 'pending').waitFor()
  await first.kill()
  await expect(page.getByRole('contentinfo')).toContainText('not reachable')
  // The page still shows what it was told last; nothing of that may turn out to have been untrue.
  const shown = await position()
  const listed = await handledEvents(tidemark)
  expect(listed.length).toBeGreaterThan(2)

  const second = await startApp()
  await tidemark.open(second.url)
  await source(/Demo/).click()
  await test.step('the history is whole, and what was pending ran again', async () => {
    await expect.poll(async () => (await handledEvents(tidemark)).slice(-listed.length)).toEqual(listed)
    const cutOff = events('three pages still mention 2.3').last() // the demo begins anew, and says it once more
    await expect(cutOff).toContainText('handled')
    await choose(cutOff)
    await expect(inspector.getByRole('listitem')).toHaveText([/aborted/, /resolved/])
    await expect(inspector).toContainText('It ran more than once: its effect may have happened more than once.')
    await page.getByRole('button', {name: 'Follow'}).click()
  })
  await test.step('the demo server lost its events with the process, and says so', async () => {
    const gap = events('the server restarted since your last connection')
    await expect(gap).toContainText('replaced', {timeout: 30_000})
    await choose(gap)
    const table = inspector.getByRole('table', {name: 'Position before and after the gap'})
    await expect(table).toBeVisible()
    const rows = await cells(table)
    for (const [coordinate, value] of Object.entries(shown)) {
      const before = Number(rows.find(([key]) => key === coordinate)?.[1])
      expect(before, coordinate).toBeGreaterThanOrEqual(value)
    }
  })
  await test.step('and it goes on from there', async () => {
    await page.getByRole('button', {name: 'Follow'}).click()
    await expect(events('is 2.4 still going out today?', 'handled')).toHaveCount(2, {timeout: 30_000})
  })
})

/** Oldest last, as listed; without the row of whatever is still under way. */
async function handledEvents({page, cells}: ReturnType<typeof createTidemark>): Promise<readonly string[]> {
  const rows = await cells(page.getByRole('region', {name: 'List of events'}).getByRole('table'))
  return rows.filter(([, , , , outcome]) => outcome === 'handled').map((row) => row.join(' '))
}
