import {expect, test} from '@playwright/test'
import {findOverflows, findOverlaps} from '../find-overlaps.ts'

test('what looks for text over text and for what is out of sight finds them', async ({page}) => {
  await page.setContent(`<!doctype html>
    <div style="position: absolute">one</div><div style="position: absolute; left: 12px">two</div>
    <div style="position: absolute; top: 90px">below</div>
    <div style="position: absolute; top: 90px; background: white">covers it</div>
    <div style="position: absolute; top: 150px; width: 40px; overflow-x: auto; white-space: nowrap">far too long</div>`)
  expect(await findOverlaps(page)).toEqual(['“one” and “two”'])
  expect(await findOverflows(page)).toEqual([expect.stringMatching(/^DIV/)])
})
