import {expect} from '@playwright/test'
import {test} from './desktop.ts'

test('it starts with a window that has something in it', async ({app, tidemark: {page, board}}) => {
  await expect(page.getByRole('button', {name: 'Start the demo'})).toBeVisible()
  await expect(board).toContainText('None yet')
  await expect(page.getByRole('contentinfo')).toContainText('desktop')
  expect(
    await app.electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows().map((one) => one.isVisible())),
  ).toEqual([true])
})

test('the page’s requests are answered by the engine, and refused where they are none', async ({app}) => {
  expect(await app.request('app.info', {})).toMatchObject({ok: true, value: {mode: 'electron'}})
  expect(await app.request('no.such', {})).toMatchObject({ok: false, error: {kind: 'unknownChannel'}})
  expect(await app.request('__proto__', {})).toMatchObject({ok: false, error: {kind: 'unknownChannel'}})
  expect(await app.request('sources.pause', {source: 4})).toMatchObject({ok: false, error: {kind: 'badInput'}})
  const notAString = app.page.evaluate(() => {
    const {tidemark} = window as unknown as {
      tidemark: {request: (channel: unknown, input: unknown) => Promise<unknown>}
    }
    return tidemark.request({toString: () => 'app.info'}, {})
  })
  await expect(notAString).rejects.toThrow('a channel is named by a string')
})

test('what no screen would ask is refused, however large or strange, and the engine goes on', async ({app}) => {
  const source = 'no such source'
  const asked: readonly (readonly [string, unknown])[] = [
    ['sources.rename', {source, name: 'x'.repeat(8_000_000)}],
    ['sources.rename', {source: 'x'.repeat(8_000_000), name: 'x'}],
    ['sources.rename', null],
    ['sources.rename', 'sources.rename'],
    ['sources.rename', [source, 'x']],
    ['sources.remove', {source: {toString: 'x'}}],
    ['frames.page', {filter: {}, limit: -1}],
    ['frames.page', {filter: {outcomes: Array.from({length: 100_000}, () => 'no such outcome')}, limit: 10}],
    ['frames.detail', {frame: 1.5}],
    ['timeline.range', {source, from: 'now', to: 0, columns: 1e9}],
    ['x'.repeat(8_000_000), {}],
  ]
  for (const [channel, input] of asked) expect(await app.request(channel, input)).toMatchObject({ok: false})
  expect(await app.request('app.info', {})).toMatchObject({ok: true})
})

test('where tokens are kept is said as it is on this system', async ({app}) => {
  const isKept = await app.electron.evaluate(({safeStorage}) => {
    const {isEncryptionAvailable, getSelectedStorageBackend} = safeStorage
    return isEncryptionAvailable() && !/basic_text|unknown/.test(getSelectedStorageBackend?.() ?? 'of the system')
  })
  const info = await app.request('app.info', {})
  const words = isKept ? 'encrypted with a key' : 'This system has no keychain'
  expect(info).toMatchObject({ok: true, value: {tokenStorage: expect.stringContaining(words)}})
})

test('the page is told of changes for as long as it listens', async ({app}) => {
  const {page} = app
  await page.evaluate(() => {
    const heard: unknown[] = []
    const {tidemark} = window as unknown as {
      tidemark: {subscribe: (hear: (...given: readonly unknown[]) => void) => () => void}
    }
    Object.assign(window, {heard, stopListening: tidemark.subscribe((...given) => heard.push(given))})
  })
  const heard = (): Promise<number> => page.evaluate(() => (window as unknown as {heard: unknown[]}).heard.length)
  await app.request('demo.start', {})
  await expect.poll(heard).toBeGreaterThan(2)
  const given = await page.evaluate(() => (window as unknown as {heard: readonly unknown[][]}).heard)
  expect(JSON.stringify(given)).toContain('Demo: release-bot')
  expect(given.filter(({length}) => length !== 1)).toEqual([]) // a batch, and nothing of who sent it

  await page.evaluate(() => (window as unknown as {stopListening: () => void}).stopListening())
  const before = await heard()
  const {rows} = await page.evaluate(async () => {
    const {tidemark} = window as unknown as {tidemark: {request: (channel: string, input: object) => Promise<unknown>}}
    const count = async () =>
      ((await tidemark.request('app.info', {})) as {value: {storedFrames: number}}).value.storedFrames
    const first = await count()
    let rows = first
    while (rows < first + 3) rows = await count() // three frames later
    return {rows}
  })
  expect(rows).toBeGreaterThan(0)
  expect(await heard()).toBe(before)
})

test('the page has the bridge with its two functions, and nothing else of Node or Electron', async ({app: {page}}) => {
  const found = await page.evaluate(() => {
    const clean = document.body.appendChild(document.createElement('iframe')).contentWindow
    const own = Object.getOwnPropertyNames(window).filter((name) => clean === null || !Object.hasOwn(clean, name))
    const {tidemark} = window as unknown as {tidemark: Record<string, unknown>}
    const node = [
      'require',
      'process',
      'module',
      'exports',
      'Buffer',
      'global',
      'ipcRenderer',
      'electron',
      'setImmediate',
    ]
    return {
      // Without frames, and without what the page's own schema library keeps there.
      own: own.filter((name) => !/^\d+$|^__zod_/.test(name)),
      bridge: Object.entries(tidemark).map(([name, member]) => `${name}: ${typeof member}`),
      node: node.filter((name) => name in window),
      frozen: Object.isFrozen(tidemark),
      inFrame: clean !== null && 'tidemark' in clean,
    }
  })
  expect(found).toEqual({
    own: ['tidemark'],
    bridge: ['request: function', 'subscribe: function'],
    node: [],
    frozen: true,
    inFrame: false,
  })
})

test('--demo shows a gap that took the position back', async ({app, tidemark}) => {
  await app.startAgain(['--demo'])
  const {events, inspector, choose} = tidemark
  const gap = events('the bridge lost its events')
  await expect(gap).toContainText('replaced', {timeout: 60_000})
  await choose(gap)
  await expect(inspector.getByRole('heading', {name: 'Gap, cursor moved back'})).toBeVisible()
})
