import {existsSync, readFileSync} from 'node:fs'
import {expect} from '@playwright/test'
import {ask} from './ask.ts'
import type {RunningApp} from './running-app.ts'

/** A program that says who it is, hears no request to end, and never ends by itself. */
const STUBBORN = `process.on('SIGTERM', () => {})
  require('fs').writeFileSync(process.env.SAYS, String(process.pid))
  setInterval(() => {}, 1000)`.replaceAll('\n', ';')

/**
 * Runs it for each frame of the only source. Resolves with its process id when it runs for the first time.
 *
 * @param says - a file of the test's, in which it says it
 */
export async function runStubbornCommand(app: RunningApp, says: string): Promise<number> {
  const listed = await ask(app, 'sources.list', {})
  const source = listed.ok ? (listed.value[0]?.id ?? '') : ''
  const set = await ask(app, 'handlers.set', {
    source,
    handlers: [
      {
        id: 'stubborn',
        name: 'stubborn',
        rule: {},
        deadlineMs: 60_000,
        attempts: 3,
        backoffMs: 1_000,
        action: {kind: 'command', argv: [process.execPath, '-e', STUBBORN], env: [['SAYS', says]], hasSecret: false},
      },
    ],
    secrets: [],
  })
  expect(set).toMatchObject({ok: true})
  const pid = (): number => (existsSync(says) ? Number(readFileSync(says, 'utf8')) : 0)
  await expect.poll(pid).toBeGreaterThan(0)
  return pid()
}
