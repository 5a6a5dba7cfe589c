import {expect} from '@playwright/test'
import type {Elsewhere} from '../elsewhere.ts'
import type {DesktopApp} from '../launch-desktop.ts'
import {test} from './desktop.ts'

test('a page of another origin in our window is refused by the engine, and told nothing', async ({
  app,
  elsewhere,
  readPositions,
}) => {
  await loadElsewhere(app, elsewhere)
  const {page} = app
  const refused = page.evaluate(() => {
    const {tidemark} = window as unknown as {tidemark: {request: (channel: string, input: object) => Promise<unknown>}}
    return tidemark.request('app.info', {})
  })
  await expect(refused).rejects.toThrow('only the page of Tidemark may ask')

  await page.evaluate(() => {
    const heard: unknown[] = []
    const {tidemark} = window as unknown as {tidemark: {subscribe: (hear: (batch: unknown) => void) => () => void}}
    tidemark.subscribe((batch) => heard.push(batch))
    Object.assign(window, {heard})
  })
  await app.startAgain(['--demo'])
  await expect.poll(readPositions).toContain('room-a') // by now there was something to tell
  expect(await page.evaluate(() => (window as unknown as {heard: unknown[]}).heard)).toEqual([])
})

test('the page cannot go elsewhere', async ({app: {page, electron}, elsewhere, troubles}) => {
  troubles.expect(/Not allowed to (load local resource|navigate top frame to data URL)/)
  const here = page.url()
  // Asked after the app itself, so it sees what the app decided.
  await electron.evaluate(({BrowserWindow}) => {
    const decided: string[] = []
    Object.assign(globalThis, {decided})
    BrowserWindow.getAllWindows()[0]?.webContents.on('will-navigate', ({defaultPrevented, url}) =>
      decided.push(`${defaultPrevented ? 'kept from' : 'went to'} ${url}`),
    )
  })
  const decided = (): Promise<unknown> => electron.evaluate(() => (globalThis as unknown as {decided: unknown}).decided)
  await page.evaluate((url) => location.assign(url), `${elsewhere.url}/script`)
  await expect.poll(decided).toEqual([`kept from ${elsewhere.url}/script`])
  await page.evaluate((url) => {
    const link = document.body.appendChild(document.createElement('a'))
    link.href = url
    link.click()
  }, `${elsewhere.url}/link`)
  await expect.poll(decided).toEqual([`kept from ${elsewhere.url}/script`, `kept from ${elsewhere.url}/link`])
  // What Chromium itself refuses never comes so far that anybody decides.
  for (const url of ['data:text/html,<h1>elsewhere</h1>', 'file:///', here.replace('tidemark', 'other')])
    await page.evaluate((to) => location.assign(to), url)
  await expect.poll(decided).toContainEqual(expect.stringMatching(/^kept from app:\/\/other/))
  await expect(page.getByRole('button', {name: 'Start the demo'})).toBeVisible()
  expect(page.url()).toBe(here)
  expect(elsewhere.wasAsked()).toBe(false)
})

test('the page can open no window', async ({app: {page, electron}, elsewhere}) => {
  await page.evaluate((url) => {
    const opened = window.open(url)
    return new Promise<void>((resolve) => {
      const look = (): void => {
        if (opened === null || opened.closed) resolve()
        else setTimeout(look, 20)
      }
      look()
    })
  }, `${elsewhere.url}/`)
  await page.evaluate((url) => {
    const link = document.body.appendChild(document.createElement('a'))
    Object.assign(link, {href: url, target: '_blank'}).click()
  }, `${elsewhere.url}/`)
  await page.getByRole('button', {name: 'All keys'}).click()
  await expect(page.getByRole('dialog', {name: 'Keys'})).toBeVisible()
  await expect.poll(() => electron.windows().length).toBe(1)
  expect(await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('whatever a page asks leave for is denied', async ({app: {page}}) => {
  expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
  const states = await page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'] as PermissionName[]
    return Promise.all(names.map(async (name) => `${name} ${(await navigator.permissions.query({name})).state}`))
  })
  expect(states.filter((state) => !state.endsWith(' denied'))).toEqual([])
  const place = page.evaluate(
    () =>
      new Promise((resolve) => {
        navigator.geolocation.getCurrentPosition(
          () => resolve('told'),
          ({code, PERMISSION_DENIED}) => resolve(code === PERMISSION_DENIED ? 'denied' : code),
        )
      }),
  )
  expect(await place).toBe('denied')
})

/** What of the page's policy refuses something below. */
const REFUSING = [
  'base-uri',
  'connect-src',
  'form-action',
  'frame-src',
  'img-src',
  'object-src',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src-attr',
  'style-src-elem',
]

test('the page runs only what came with it', async ({app: {page}, elsewhere, troubles}) => {
  troubles.expect(/Content Security Policy|policy: |status of 404|Mixed Content/)
  const ran = await page.evaluate(
    async ({url, directives}) => {
      const before = Object.keys(window)
      const refused = new Set<string>()
      const allRefused = new Promise<void>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({effectiveDirective}) => {
          refused.add(effectiveDirective)
          if (directives.every((directive) => refused.has(directive))) resolve()
        })
      })
      const add = <K extends keyof HTMLElementTagNameMap>(name: K, parts: object): HTMLElementTagNameMap[K] =>
        document.body.appendChild(Object.assign(document.createElement(name), parts))
      add('script', {textContent: 'window.inlineRan = true'})
      document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.handlerRan = true">')
      document.body.insertAdjacentHTML('beforeend', '<p style="width: 1px">styled</p>')
      add('style', {textContent: 'body { outline: 9px solid }'})
      add('link', {rel: 'stylesheet', href: `${url}style.css`})
      add('img', {src: `${url}image.png`})
      add('img', {src: 'data:image/png,'})
      add('iframe', {src: url})
      add('object', {data: url})
      const base = document.head.appendChild(Object.assign(document.createElement('base'), {href: url}))
      const isBased = document.baseURI === url
      base.remove()
      add('form', {action: url, method: 'post'}).submit()
      const reached = await fetch(url, {mode: 'no-cors'}).then(
        () => 'reached',
        () => 'refused',
      )
      // Later, because what a debugger evaluates may evaluate.
      const evaluated = await new Promise((resolve) => {
        setTimeout(() => {
          try {
            resolve(new Function('return "ran"')())
          } catch {
            resolve('refused')
          }
        })
      })
      await allRefused
      return {
        reached,
        evaluated,
        isBased,
        refused: [...refused].sort(),
        left: Object.keys(window).filter((name) => !before.includes(name) && !/^\d+$/.test(name)),
      }
    },
    {url: `${elsewhere.url}/`, directives: REFUSING},
  )
  expect(ran).toEqual({
    reached: 'refused',
    evaluated: 'refused',
    isBased: false,
    refused: REFUSING,
    left: [],
  })
  expect(elsewhere.wasAsked()).toBe(false)
})

test('nobody shows the page in a frame of theirs', async ({app, elsewhere, troubles}) => {
  troubles.expect(/frame-ancestors|Refused to frame|Framing/)
  const {page} = app
  const ours = page.url()
  await loadElsewhere(app, elsewhere)
  await page.evaluate((url) => {
    document.body.append(Object.assign(document.createElement('iframe'), {src: url}))
  }, ours)
  await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
})

test('nothing but the built page is served to it', async ({app: {page, electron}, troubles}) => {
  troubles.expect(/status of 404/)
  const {index, served} = await page.evaluate(async () => {
    // Not `fetch`, which Electron allows for a scheme only where it was asked for.
    const ask = (path: string, method = 'GET'): Promise<XMLHttpRequest> =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest()
        request.open(method, path)
        request.onload = () => resolve(request)
        request.onerror = () => reject(new Error(`${method} ${path} could not be asked`))
        request.send()
      })
    const hostile = [
      'no-such-file',
      '../electron/main.js',
      '%2e%2e/electron/main.js',
      '..%2felectron%2fmain.js',
      '%2e%2e%2felectron%2fmain.js',
      'assets/..%2f..%2felectron%2fmain.js',
      '..%5celectron%5cmain.js',
      '../../package.json',
      '..%2f..%2fpackage.json',
      '%2f..%2f..%2fpackage.json',
      '..%2felectron%2fmain.js%00.html',
      'index.html%00',
      '%zz',
    ]
    const answers = [await ask('./', 'POST'), ...(await Promise.all(hostile.map((path) => ask(path))))]
    const first = await ask('./')
    return {
      index: {
        status: first.status,
        type: first.getResponseHeader('content-type'),
        sniff: first.getResponseHeader('x-content-type-options'),
      },
      served: answers.filter(({status}) => status !== 404).map(({responseURL}) => responseURL),
    }
  })
  expect(index).toEqual({status: 200, type: 'text/html; charset=utf-8', sniff: 'nosniff'})
  expect(served).toEqual([])

  // Nor under another name of the scheme.
  await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.loadURL('app://other/'))
  await page.waitForURL(/other/)
  await expect(page.locator('body')).toHaveText('Not found')
})

test('the window was made with every guard up', async ({app: {electron}}) => {
  const preferences = await electron.evaluate(({BrowserWindow}) => {
    const contents: object | undefined = BrowserWindow.getAllWindows()[0]?.webContents
    return (contents as {getLastWebPreferences: () => unknown}).getLastWebPreferences() // not in Electron's types
  })
  expect(preferences).toMatchObject({contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false})
})

/** As only the app itself could, and it does not: the page cannot. */
async function loadElsewhere({electron, page}: DesktopApp, {url}: Elsewhere): Promise<void> {
  await electron.evaluate(({BrowserWindow}, to) => BrowserWindow.getAllWindows()[0]?.loadURL(to), `${url}/`)
  await page.waitForURL(`${url}/`)
  await expect(page).toHaveTitle('elsewhere')
}
