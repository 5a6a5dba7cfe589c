import {join} from 'node:path'
import {expect} from '@playwright/test'
import {ask, watchBridge} from '../ask.ts'
import {isAlive} from '../is-alive.ts'
import type {DesktopApp} from '../launch-desktop.ts'
import type {RunningApp} from '../running-app.ts'
import {runStubbornCommand} from '../stubborn-command.ts'
import {test} from './desktop.ts'
import {heldPosition} from './expect-unbroken.ts'

interface Ending {
  readonly title: string
  readonly end: (app: DesktopApp) => Promise<void>
  /** Absent where a signal ends it. */
  readonly exitCode?: number
}

const ENDINGS: readonly Ending[] = [
  {title: 'quitting while a command runs does not hang', end: (app) => app.stop(), exitCode: 0},
  {title: 'after kill -9 while a command runs', end: (app) => app.kill()},
]

for (const {title, end, exitCode} of ENDINGS)
  test(`${title}: the command ends too, its frame is not handled, and runs again`, async ({
    app,
    profile,
    startBridge,
    restart,
  }) => {
    await watchBridge(app, 'steady', await startBridge('steady', 10))
    const command = await runStubbornCommand(app, join(profile, 'says-who-it-is'))
    const before = await heldPosition(app)
    await end(app)
    if (exitCode !== undefined) expect(await app.exitCode).toBe(exitCode)
    await expect.poll(() => isAlive(command)).toBe(false)

    const second = await restart()
    expect(await heldPosition(second)).toEqual(before)
    await expectSecondAttempt(second)
  })

/** The frame that was not handled comes again, and it is said that it does. */
async function expectSecondAttempt(app: RunningApp): Promise<void> {
  const attempt = async (): Promise<unknown> => {
    const listed = await ask(app, 'sources.list', {})
    return listed.ok ? listed.value[0]?.openAttempt : undefined
  }
  await expect.poll(attempt).toMatchObject({n: 2, state: 'pending'})
}
