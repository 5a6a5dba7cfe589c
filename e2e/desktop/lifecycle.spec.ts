import {expect} from '@playwright/test'
import {watchBridge} from '../ask.ts'
import {type DesktopApp, runDesktop} from '../launch-desktop.ts'
import {launchHost} from '../launch-host.ts'
import {createTidemark} from '../tidemark.ts'
import {test} from './desktop.ts'
import {earlierEndings, expectNotBehind, expectUnbroken, heldPosition} from './expect-unbroken.ts'

test('a second start brings the first one’s window forward, and ends', async ({app}) => {
  const {electron} = app
  await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.minimize())
  await app.startAgain([])
  const shown = (): Promise<unknown> =>
    electron.evaluate(({BrowserWindow}) =>
      BrowserWindow.getAllWindows().map((one) => ({
        visible: one.isVisible(),
        minimized: one.isMinimized(),
        focused: one.isFocused(),
      })),
    )
  await expect.poll(shown).toEqual([{visible: true, minimized: false, focused: true}])
  await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.hide())
  await app.startAgain([])
  await expect.poll(shown).toEqual([{visible: true, minimized: false, focused: true}])
})

test('a profile that host mode owns is not opened: the app says whose it is, and ends', async ({
  app,
  page,
  profile,
  dist,
}) => {
  await app.stop()
  const host = await launchHost(profile, [], page)
  const {code, said} = await runDesktop(profile, [], dist === undefined ? {} : {dist})
  expect(said).toContain('Tidemark already watches with this profile')
  expect(said).toContain('in host mode')
  // The box of a real one waits for somebody to close it; here it is ended when nobody did.
  if (dist !== undefined) expect(code).toBe(1)
  await host.stop()
})

test('where an app goes on without a window, it goes on watching, and its window comes back', async ({
  app,
  startBridge,
  readPositions,
}) => {
  const {electron, page} = app
  await watchBridge(app, 'steady', await startBridge('steady', 10))
  // As on a Mac; it looks when its last window is closed.
  await electron.evaluate(() => Object.defineProperty(process, 'platform', {value: 'darwin'}))
  await page.close()
  expect(await electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows().length)).toBe(0)
  const before = await readPositions()
  await expect.poll(readPositions).not.toBe(before)

  const [reopened] = await Promise.all([
    electron.waitForEvent('window'),
    electron.evaluate((parts) => parts.app.emit('activate')),
  ])
  const {source, events} = createTidemark(reopened)
  await expect(source('steady')).toContainText('attached')
  await expect(events('message', 'handled').first()).toBeVisible()
})

test('elsewhere, closing the window quits the app', async ({app}) => {
  const {electron, page} = app
  await electron.evaluate(() => Object.defineProperty(process, 'platform', {value: 'linux'}))
  await page.close()
  expect(await app.exitCode).toBe(0)
})

test('the window opens where it was closed, if that can be seen', async ({app, restart}) => {
  const place = {x: 60, y: 40, width: 903, height: 655} // on the smallest display that a test may meet
  await setBounds(app, place)
  await app.stop()
  const second = await restart()
  expect(await boundsOf(second)).toEqual(place)
  await setBounds(second, {...place, x: OUT_OF_SIGHT})
  await second.stop()
  expect((await boundsOf(await restart()))?.x).toBeLessThan(OUT_OF_SIGHT)
})

test('quitting while a stream runs ends at once, and the next start goes on where it was', async ({
  app,
  startBridge,
  restart,
}) => {
  const bridge = await startBridge('steady', 10)
  await watchBridge(app, 'steady', bridge)
  await untilBeyond(app, 20)
  const before = await heldPosition(app)
  await app.stop()
  expect(await app.exitCode).toBe(0)

  const second = await restart()
  expectNotBehind(await heldPosition(second), before)
  await untilBeyond(second, (before.get('r:room-a') ?? 0) + 10)
  await expectUnbroken(second)
  expect(await earlierEndings(second)).toEqual(['closedWithApp'])
})

// Windows knows no signals: there they end a process as SIGKILL does.
for (const signal of process.platform === 'win32' ? [] : (['SIGTERM', 'SIGINT'] as const))
  test(`${signal} quits it in order`, async ({app, restart, startBridge}) => {
    await watchBridge(app, 'steady', await startBridge('steady', 10))
    await untilBeyond(app, 5)
    app.electron.process().kill(signal)
    expect(await app.exitCode).toBe(0)
    const second = await restart()
    await expectUnbroken(second)
    expect(await earlierEndings(second)).toEqual(['closedWithApp'])
  })

test('after kill -9 in the middle of a stream nothing acknowledged is lost and nothing is handled twice', async ({
  app,
  startBridge,
  restart,
}) => {
  await watchBridge(app, 'steady', await startBridge('steady', 10))
  await untilBeyond(app, 20)
  const before = await heldPosition(app)
  await app.kill()

  const second = await restart()
  expectNotBehind(await heldPosition(second), before)
  await untilBeyond(second, (before.get('r:room-a') ?? 0) + 10)
  await expectUnbroken(second)
  expect(await earlierEndings(second)).toEqual(['notStarted']) // it could not say that it ended
})

/** Beside every display, in px; a coordinate of X11 has 16 bits. */
const OUT_OF_SIGHT = 30_000

async function untilBeyond(app: DesktopApp, sequence: number): Promise<void> {
  await expect.poll(async () => (await heldPosition(app)).get('r:room-a') ?? 0).toBeGreaterThan(sequence)
}

interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function setBounds({electron}: DesktopApp, bounds: Bounds): Promise<void> {
  return electron.evaluate(({BrowserWindow}, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds)
}

function boundsOf({electron}: DesktopApp): Promise<Bounds | undefined> {
  return electron.evaluate(({BrowserWindow}) => BrowserWindow.getAllWindows()[0]?.getBounds())
}
