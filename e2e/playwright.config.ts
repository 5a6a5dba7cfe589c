import {join} from 'node:path'
import {defineConfig} from '@playwright/test'
import {findBrowser} from '../tools/find-browser.ts'
import {rendererIsFresh} from '../tools/renderer-is-fresh.ts'

// Each worker reads this file too; what is built then is what was built when the run began.
const begins = process.env['TEST_WORKER_INDEX'] === undefined
if (begins && !rendererIsFresh(join(import.meta.dirname, '..')))
  throw new Error('The built page is older than what it is made of: run `npm run build` first.')

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

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  forbidOnly: true,
  retries: 0,
  // They wait more than they work: each starts its own app on its own profile and port.
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  globalTimeout: 9 * 60_000,
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
    launchOptions: {args: CHROMIUM_FLAGS, ...executable(findBrowser(process.env))},
  },
  // The same specs against each way of carrying the bytes; the desktop app's project stands beside this one when it runs.
  projects: [{name: 'host'}],
})

function executable(path: string | undefined): {readonly executablePath?: string} {
  return path === undefined ? {} : {executablePath: path}
}
