import {join} from 'node:path'
import {expect} from '@playwright/test'
import {ask, watchBridge} from '../ask.ts'
import {isAlive} from '../is-alive.ts'
import type {RunningApp} from '../running-app.ts'
import {runStubbornCommand} from '../stubborn-command.ts'
import {test} from './desktop.ts'
import {heldPosition} from './expect-unbroken.ts'

test('quitting while a command runs does not hang, the command ends, and its frame is not handled', async ({
  app,
  profile,
  startBridge,
  restart,
}) => {
  await watchBridge(app, 'steady', await startBridge('steady', 10))
  const pid = await runStubbornCommand(app, join(profile, 'says-who-it-is'))
  const before = await heldPosition(app)
  await app.stop()
  expect(await app.exitCode).toBe(0)
  await expect.poll(() => isAlive(pid)).toBe(false)

  const second = await restart()
  expect(await heldPosition(second)).toEqual(before)
  await expectSecondAttempt(second)
})

test('after kill -9 while a command runs the command is ended too, and its frame runs again', async ({
  app,
  profile,
  startBridge,
  restart,
}) => {
  await watchBridge(app, 'steady', await startBridge('steady', 10))
  const pid = await runStubbornCommand(app, join(profile, 'says-who-it-is'))
  const before = await heldPosition(app)
  await app.kill()
  await expect.poll(() => isAlive(pid)).toBe(false)

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
