import {chmodSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../clock.ts'
import {temporaryFolder} from '../testing/temporary-folder.ts'
import {until} from '../testing/until.ts'
import {socketTransport} from './socket-transport.ts'

const NOBODY = {onBytes: () => {}, onEnd: () => {}}
const transport = socketTransport(systemClock())

async function codeAt(path: string): Promise<string> {
  const opened = await transport.connect(path, NOBODY, new AbortController().signal)
  return opened.ok ? 'open' : opened.error
}

test('what is no socket is refused with the system’s word, whatever it is', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file.sock'), 'text')
  mkdirSync(join(folder, 'folder.sock'))
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.sock'))
  symlinkSync(join(folder, 'loop.sock'), join(folder, 'loop.sock'))
  expect(await codeAt(join(folder, 'file.sock'))).toBe('ECONNREFUSED')
  expect(await codeAt(join(folder, 'folder.sock'))).toBe('ECONNREFUSED')
  expect(await codeAt(join(folder, 'dangling.sock'))).toBe('ENOENT')
  expect(await codeAt(join(folder, 'loop.sock'))).toBe('ELOOP')
  expect(await codeAt(join(folder, 'file.sock', 'daemon.sock'))).toBe('ENOTDIR')
  expect(await codeAt(join(folder, 'x'.repeat(300)))).not.toBe('open')
  expect(await codeAt('with\u0000in it')).not.toBe('open')
  expect(await codeAt('')).not.toBe('open')
  expect(await codeAt('7777')).toBe('ENOENT') // a path of digits is no port
})

test('only the socket’s own coming and going in its folder is told', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'daemon.sock')
  let told = 0
  const stop = transport.watchFolder(path, () => {
    told += 1
  })
  onTestFinished(stop)
  for (let n = 0; n < 50; n++) writeFileSync(join(folder, `other-${n}`), '')
  chmodSync(join(folder, 'other-0'), 0o600)
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(path, resolve))
  await until(
    () => told > 0,
    'word of the socket',
    () => told,
  )
  expect(told).toBeLessThan(5)
})
