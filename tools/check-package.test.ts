import {expect, test} from 'vitest'
import {BUDGET_BYTES, checkPackage} from './check-package.ts'

const app = [
  '/package.json',
  '/dist/electron/main.js',
  '/dist/electron/pack-changes-HIt7Es55.js',
  '/dist/electron/preload.cjs',
  '/dist/electron/store-worker.js',
  '/dist/electron/watchdog.js',
  '/dist/renderer/index.html',
  '/dist/renderer/icon.svg',
  '/dist/renderer/assets/index-Bh3wL0Ll.js',
  '/dist/renderer/assets/inter-latin-ext-wght-normal-DO1Apj_S.woff2',
].map((path) => ({path, size: 1000}))

test('a package of the app alone is right', () => expect(checkPackage(app)).toEqual([]))

test.each([
  '/node_modules/ws/index.js',
  '/dist/electron/main.js.map',
  '/dist/types/shared/base/json.d.ts',
  '/electron/shell/main.ts',
  '/.env',
  '/dist/renderer/assets/notes.txt',
  '/fixtures/switch/a.sse',
])('%s is found in it', (path) => {
  expect(checkPackage([...app, {path, size: 1}])).toEqual([`${path} is no part of the app`])
})

test.each([
  '/package.json',
  '/dist/electron/store-worker.js',
  '/dist/electron/watchdog.js',
  '/dist/electron/preload.cjs',
])('%s is missed where it is not', (missing) => {
  expect(checkPackage(app.filter(({path}) => path !== missing))).toEqual([`${missing} is missing`])
})

test('a package that grew beyond its budget is refused', () => {
  const [first, ...others] = app
  expect(checkPackage([{path: first?.path ?? '', size: BUDGET_BYTES}, ...others])).toEqual([
    expect.stringMatching(/bytes are more than/),
  ])
})
