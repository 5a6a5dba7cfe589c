import {expect} from '@playwright/test'
import {test} from './fixtures.ts'

test('a gap shows what it took back and what a merge would have kept; until its callback resolved, the old position stands', async ({
  tidemark,
}) => {
  const {page, events, inspector, cells, startDemo, source, waitForIdle} = tidemark
  await startDemo()
  const gap = events('the bridge lost its events')

  await test.step('pending: the old position stands', async () => {
    await expect(gap).toContainText('pending', {timeout: 40_000})
    await gap.click()
    await expect(source(/Demo/)).toContainText('s 18 · 2 rooms')
    await expect(inspector.getByRole('heading', {name: 'Gap, its callback is pending'})).toBeVisible()
    await expect(inspector.getByRole('heading', {name: 'Position, not applied'})).toBeVisible()
    // Told by the same screen a moment later: it was still pending when the position was read.
    await expect(gap).toContainText('pending')
  })
  await test.step('applied: before, after, and what a merge would keep', async () => {
    await expect(inspector.getByRole('heading', {name: 'Gap, cursor moved back'})).toBeVisible()
    await waitForIdle()
    expect(await cells(inspector.getByRole('table', {name: 'Position before and after the gap'}))).toEqual([
      ['Coordinate', 'Before', 'After', 'Merge would keep'],
      ['s', '18', '2 ↓back by 16', '18'],
      ['r:room-a', '43', '7 ↓back by 36', '43'],
      ['r:room-b', '9', '✕ removed', '9'],
    ])
    await expect(inspector).toContainText('from 18, resumed at 2')
    await expect(inspector).toContainText('s 18, r:room-a 43, r:room-b 9 acknowledged')
  })
  await test.step('the ledger says the same in a row', async () => {
    await page.getByRole('tab', {name: 'Gaps 1'}).click()
    const ledger = page.getByRole('table', {name: 'Gaps declared by the server, newest first'})
    await expect(ledger.getByRole('row').nth(1)).toContainText('s 18 → 2, r:room-a 43 → 7, r:room-b 9 → removed')
    await expect(ledger.getByRole('row').nth(1)).toContainText('not yet accounted for')
  })
  await test.step('the address names it, and brings it back', async () => {
    const address = page.url()
    expect(new URL(address).hash).toMatch(/^#source=.+&frame=\d+$/)
    await page.reload()
    await expect(inspector.getByRole('heading', {name: 'Gap, cursor moved back'})).toBeVisible()
    expect(page.url()).toBe(address)
  })
})
