import {join} from 'node:path'
import {expect, test} from 'vitest'
import {assetPath, readAsset} from './asset.ts'

const folder = join('/app', 'dist', 'renderer')

test('the root is the page, a path the file of that name', () => {
  expect(assetPath(folder, '/')).toBe(join(folder, 'index.html'))
  expect(assetPath(folder, '/assets/a%20b.js')).toBe(join(folder, 'assets', 'a b.js'))
  expect(assetPath(folder, '/assets/../index.html')).toBe(join(folder, 'index.html'))
})

test.each([
  '/../secret.json',
  '/%2e%2e/secret.json',
  '/assets/..%2f..%2fsecret.json',
  '/..%5csecret.json',
  '/../renderer-other/a.js',
  '/..',
  '/a%00.js',
  '/%zz',
])('%s leads nowhere', (pathname) => expect(assetPath(folder, pathname)).toBeUndefined())

test('only what a page consists of is served', async () => {
  expect(await readAsset(import.meta.dirname, '/asset.ts')).toBeUndefined()
  expect(await readAsset(join(import.meta.dirname, '..'), '/tsconfig.json')).toMatchObject({type: 'application/json'})
  expect(await readAsset(import.meta.dirname, '/missing.js')).toBeUndefined()
})
