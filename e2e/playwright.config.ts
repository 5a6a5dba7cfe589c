import {join} from 'node:path'
import {defineConfig} from '@playwright/test'
import {rendererIsFresh, shellIsFresh} from '../tools/build-is-fresh.ts'
import {findBrowser} from '../tools/find-browser.ts'
import type {Options} from './fixtures.ts'

// Each worker reads this file too; what is built then is what was built when the run began.
const begins = process.env['TEST_WORKER_INDEX'] === undefined
const root = join(import.meta.dirname, '..')
if (begins && !(rendererIsFresh(root) && shellIsFresh(root)))
  throw new Error('What is built is older than what it is made of: run `npm run build` first.')

const browser = findBrowser(process.env)
// The stand-in starts it too, in processes of its own.
if (browser !== undefined) process.env['TIDEMARK_BROWSER'] = browser

/** What Chromium needs as root and without a display, and what keeps it from talking to anyone but us. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Runs the built main process and preload on Node, and shows their page in Chromium. It is no Electron. */
const STAND_IN = join(import.meta.dirname, 'stand-in')

export default defineConfig<Options>({
  testDir: '.',
  outputDir: '../test-results',
  forbidOnly: true,
  retries: 0,
  // They wait more than they work: each starts its own app on its own profile and port.
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  globalTimeout: 15 * 60_000,
  expect: {timeout: 20_000},
  reporter: 'list',
  use: {
    headless: true,
    viewport: {width: 1440, height: 900},
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Without a film of every frame: the timeline moves all the time, and filming it takes as long as drawing it.
    trace: {mode: 'retain-on-failure', screenshots: false},
    screenshot: 'only-on-failure',
    launchOptions: {args: CHROMIUM_FLAGS, ...executable(browser)},
  },
  // The same specs against each way of carrying the bytes; beside them, in a folder of its own, what concerns one way only.
  projects: [
    {name: 'host', testIgnore: ['desktop/**', 'packaged/**'], use: {shell: 'host'}},
    // It is made for Linux only.
    ...(process.platform === 'linux'
      ? [
          {
            name: 'stand-in for Electron',
            testIgnore: ['host/**', 'packaged/**'],
            use: {shell: 'desktop', dist: STAND_IN} as const,
          },
        ]
      : []),
  ],
})

function executable(path: string | undefined): {readonly executablePath?: string} {
  return path === undefined ? {} : {executablePath: path}
}
