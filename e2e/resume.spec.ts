import {expect} from '@playwright/test'
import {test} from './fixtures.ts'
import {createTidemark} from './tidemark.ts'

test('after kill -9 in the middle of the demo nothing acknowledged is lost, and the restart of its server is told as a gap', async ({
  page,
  startApp,
  troubles,
}) => {
  troubles.expect(/WebSocket connection to .* failed/) // in host mode the page of the killed app looks for it
  const first = await startApp()
  const tidemark = createTidemark(page)
  const {position, startDemo} = tidemark
  await tidemark.open(first.url)
  await startDemo()
  // In the middle: this callback takes 2.5 s, so the process dies while it runs.
  await tidemark.events('three pages still mention 2.3', 'pending').waitFor()
  // Nothing of what the screen shows before the end may turn out to have been untrue.
  const shown = await position()
  const listed = await handledEvents(tidemark)
  expect(listed.length).toBeGreaterThan(2)
  await first.kill()

  const second = await startApp()
  const again = createTidemark(second.page)
  await again.open(second.url)
  await again.source(/Demo/).click()
  const {events, choose, inspector, cells} = again
  const follow = (): Promise<void> => second.page.getByRole('button', {name: 'Follow'}).click()
  await test.step('the history is whole, and what was pending ran again', async () => {
    await expect.poll(async () => (await handledEvents(again)).slice(-listed.length)).toEqual(listed)
    const cutOff = events('three pages still mention 2.3').last() // the demo begins anew, and says it once more
    await expect(cutOff).toContainText('handled')
    await choose(cutOff)
    await expect(inspector.getByRole('listitem')).toHaveText([/aborted/, /resolved/])
    await expect(inspector).toContainText('It ran more than once: its effect may have happened more than once.')
    await follow()
  })
  await test.step('while no Tidemark ran nobody watched, and neither that nor anything else is claimed of it', async () => {
    const table = second.page.getByRole('button', {name: 'table', exact: true})
    await table.click()
    const told = second.page.getByRole('table', {name: /^Timeline/})
    // Before the source was there, and between the last thing that the first one recorded and the second one's start.
    await expect(told.getByRole('row', {name: /nobody watched/})).toHaveCount(2)
    await expect(told).not.toContainText('Not started yet')
    await table.click()
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
    await follow()
    await expect(events('is 2.4 still going out today?', 'handled')).toHaveCount(2, {timeout: 30_000})
  })
})

/** Oldest last, as listed; without the row of whatever is still under way. */
async function handledEvents({page, cells}: ReturnType<typeof createTidemark>): Promise<readonly string[]> {
  const rows = await cells(page.getByRole('region', {name: 'List of events'}).getByRole('table'))
  return rows.filter(([, , , , outcome]) => outcome === 'handled').map((row) => row.join(' '))
}
