import {existsSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {openInBrowser} from './open-in-browser.ts'

const URL_WITH_TOKEN = 'http://127.0.0.1:7777/#token=very-secret'

test('what a browser is told on its command line holds no token; the file it names does, for this user only', async () => {
  const file = join(temporaryDirectory(), 'open.html')
  const targets: string[] = []
  const opened = await openInBrowser(URL_WITH_TOKEN, file, async (target) => void targets.push(target))
  expect(opened).toBe(true)
  expect(targets.map((target) => fileURLToPath(target))).toEqual([file])
  expect(targets.join()).not.toContain('secret')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain(`content="0; url=${URL_WITH_TOKEN}"`)
})

test('where no browser can be opened, no file stays', async () => {
  const file = join(temporaryDirectory(), 'open.html')
  const opened = await openInBrowser(URL_WITH_TOKEN, file, () => Promise.reject(new Error('no browser')))
  expect(opened).toBe(false)
  expect(existsSync(file)).toBe(false)
})
