import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {findBrowser} from './find-browser.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tidemark-browser-'))
})
afterEach(() => rmSync(root, {recursive: true}))

function put(folder: string, name: string, mode: number): string {
  mkdirSync(join(root, folder), {recursive: true})
  const path = join(root, folder, name)
  writeFileSync(path, '')
  chmodSync(path, mode)
  return path
}

test('the browser asked for comes first', () => {
  put('a', 'chromium', 0o755)
  expect(findBrowser({TIDEMARK_BROWSER: '/opt/mine', PATH: join(root, 'a')})).toBe('/opt/mine')
})

test('chromium anywhere on the path comes before another browser', () => {
  put('a', 'google-chrome', 0o755)
  const chromium = put('b', 'chromium', 0o755)
  expect(findBrowser({TIDEMARK_BROWSER: '', PATH: [join(root, 'a'), join(root, 'b')].join(delimiter)})).toBe(chromium)
})

test('a file that cannot be run is no browser', () => {
  put('a', 'chromium', 0o644)
  const chrome = put('b', 'google-chrome', 0o755)
  expect(findBrowser({PATH: [join(root, 'a'), join(root, 'b')].join(delimiter)})).toBe(chrome)
})
