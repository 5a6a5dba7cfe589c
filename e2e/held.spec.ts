import {expect} from '@playwright/test'
import {watchScenario} from './ask.ts'
import {test} from './fixtures.ts'
import {createTidemark} from './tidemark.ts'

test('a frame that fails three times holds its source until the user retries it, or skips it with a reason that is kept', async ({
  page,
  startApp,
}) => {
  const app = await startApp()
  await watchScenario(app, 'releases', 'poison-frame')
  const tidemark = createTidemark(page)
  const {source, events, inspector, cells, position} = tidemark
  await tidemark.open(app.url)
  const poison = events('release 2.4 to everybody')
  const why = 'the release went out by hand'

  await test.step('held after three failures, with nothing stepped over', async () => {
    await expect(source('releases')).toContainText('held', {timeout: 30_000})
    await source('releases').click()
    expect(await position()).toMatchObject({s: 3})
    await expect(poison.filter({hasText: 'rejected'})).toHaveCount(3)
    await inspector.getByRole('button', {name: 'Show the event it is held at'}).click()
    await expect(inspector).toContainText('Held here. Nothing is read until you decide.')
    await expect(inspector).toContainText('the release is not approved')
  })
  await test.step('a retry runs it once more', async () => {
    await inspector.getByRole('button', {name: 'Retry'}).click()
    await expect(inspector.getByRole('listitem')).toHaveText([/^3.*rejected/, /^4.*rejected/])
    await expect(source('releases')).toContainText('held')
  })
  await test.step('a skip asks for a reason', async () => {
    const skip = inspector.getByRole('button', {name: 'Skip this event'})
    await expect(skip).toBeDisabled()
    await inspector.getByLabel('Reason for the skip').fill('   ')
    await expect(skip).toBeDisabled()
    await inspector.getByLabel('Reason for the skip').fill(why)
    await skip.click()
    await expect(inspector.getByRole('heading', {name: 'message, skipped'})).toBeVisible()
  })
  await test.step('the move says that it was skipped, by whom and why', async () => {
    await expect(inspector).toContainText('moved past a frame on the user’s word')
    await expect(inspector).toContainText(why)
    expect(await cells(inspector.getByRole('table', {name: 'Steps of the move'}))).toContainEqual(['s', '3', '4'])
  })
  await test.step('what waited behind it is handled', async () => {
    await page.getByRole('button', {name: 'Follow'}).click()
    await expect(events('this one waits behind it')).toContainText('handled', {timeout: 30_000})
    await expect(source('releases')).toContainText('attached')
  })
})
