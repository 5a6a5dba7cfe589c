import {mkdtemp, readlink, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test as base, expect} from '@playwright/test'
import type {Options} from '../fixtures.ts'
import {isAlive} from '../is-alive.ts'
import {runDesktop} from '../launch-desktop.ts'
import {test} from './desktop.ts'

// What the stand-in itself promises, so that what passes on it has a chance on Electron.

type Files = Readonly<Record<string, string>>
type Ran = Awaited<ReturnType<typeof runDesktop>>

const MANIFEST = JSON.stringify({name: 'under-test', version: '1.0.0', main: 'main.cjs'})
const SAYS_HELLO = "require('electron').ipcRenderer.invoke('hello')"

/**
 * An app with one window, which ends when its preload has said hello, or was refused. Its browser's data lies in its own folder:
 * in the user's it would meet that of another test.
 */
const MAIN = `
  const {app, BrowserWindow, ipcMain} = require('electron')
  const {join} = require('node:path')
  app.setPath('userData', __dirname)
  const end = (word) => { console.log(word); app.exit(0) }
  ipcMain.handle('hello', () => end('the preload ran'))
  app.whenReady().then(() => {
    const window = new BrowserWindow({webPreferences: {preload: join(__dirname, 'PRELOAD')}})
    window.webContents.on('preload-error', (event, path, error) => end('the preload was refused'))
    window.loadURL('about:blank').catch(() => {})
  })`

const small = base.extend<Pick<Options, 'dist'> & {readonly run: (files: Files) => Promise<Ran>}>({
  dist: [undefined, {option: true}],
  run: async ({dist}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-stand-in-'))
    await use(async (files) => {
      for (const [name, text] of Object.entries({'package.json': MANIFEST, ...files}))
        await writeFile(join(folder, name), text)
      return runDesktop(join(folder, 'profile'), [], {folder, ...(dist === undefined ? {} : {dist})})
    })
    await rm(folder, {recursive: true, force: true, maxRetries: 50, retryDelay: 100})
  },
})

for (const [name, text, says] of [
  ['preload.cjs', SAYS_HELLO, 'the preload ran'],
  ['preload.js', SAYS_HELLO, 'the preload ran'],
  ['preload.ts', SAYS_HELLO, 'is TypeScript'],
  ['preload.mjs', `import {ipcRenderer} from 'electron'; ipcRenderer.invoke('hello')`, 'is an ES module'],
  ['module.js', `import {ipcRenderer} from 'electron'; ipcRenderer.invoke('hello')`, 'is no CommonJS script'],
  ['node.cjs', `require('node:fs'); ${SAYS_HELLO}`, 'module not found: node:fs'],
  ['other.cjs', `require('./channels.cjs'); ${SAYS_HELLO}`, 'module not found: ./channels.cjs'],
  ['more.cjs', `require('electron').webFrame; ${SAYS_HELLO}`, 'no electron.webFrame'],
] as const)
  small(`a preload ${name} is taken as a sandboxed Electron would: ${says}`, async ({run}) => {
    const {code, said} = await run({'main.cjs': MAIN.replace('PRELOAD', name), [name]: text})
    expect(said).toContain(says)
    expect(said.includes('the preload was refused')).toBe(says !== 'the preload ran')
    expect(code).toBe(0)
  })

const LACKING = [
  ['electron.app.dock.hide()', 'no app.dock'],
  ['new electron.Tray()', 'no Tray'],
  ['electron.Menu.setApplicationMenu(null)', 'no Menu.setApplicationMenu'],
  ['electron.ipcMain.handleOnce("x", () => {})', 'no ipcMain.handleOnce'],
  ['electron.protocol.interceptFileProtocol()', 'no protocol.interceptFileProtocol'],
  ['electron.safeStorage.encryptString("x")', 'no safeStorage.encryptString'],
  ['new electron.BrowserWindow({frame: false})', 'no option frame of a BrowserWindow'],
  ['new electron.BrowserWindow({webPreferences: {webSecurity: false}})', 'no web preference webSecurity'],
  ['new electron.BrowserWindow().setFullScreen(true)', 'no BrowserWindow.setFullScreen'],
  ['new electron.BrowserWindow().webContents.openDevTools()', 'no WebContents.openDevTools'],
] as const

small('what it lacks it names, whoever uses it', async ({run}) => {
  const uses = LACKING.map(
    ([use]) => `try { ${use}; console.log('took it') } catch (cause) { console.log(cause.message) }`,
  )
  const main = `const electron = require('electron')
    electron.app.setPath('userData', __dirname)
    electron.app.whenReady().then(() => { ${uses.join('\n')}; electron.app.exit(0) })`
  const {said} = await run({'main.cjs': main})
  const lines = said.split('\n').filter((line) => /^took it|^the stand-in/.test(line))
  expect(lines).toEqual(LACKING.map(([, words]) => `the stand-in for Electron has ${words}`))
})

for (const signal of ['SIGKILL', 'SIGSEGV', 'SIGABRT', 'SIGTERM', 'SIGHUP'] as const)
  test(`its browser ends with the main process, after ${signal} too`, async ({app, profile}) => {
    const browser = Number(/\d+$/.exec(await readlink(join(profile, 'browser', 'SingletonLock')))?.[0])
    expect(isAlive(browser)).toBe(true)
    app.electron.process().kill(signal)
    await app.exitCode
    await expect.poll(() => isAlive(browser)).toBe(false)
  })
