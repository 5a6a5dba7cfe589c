import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, onTestFinished, test} from 'vitest'
import {fetchRuntime, hasRuntime} from './electron-runtime.ts'
import {ROOT} from './run-step.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-start-'))
})
afterEach(() => rmSync(folder, {recursive: true}))

/** A dist whose executable says what it was given. */
function distThatSays(): string {
  writeFileSync(join(folder, 'electron'), '#!/bin/sh\necho "electron was given: $*"\nexit 7\n')
  chmodSync(join(folder, 'electron'), 0o755)
  return folder
}

function start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
  const {DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...rest} = process.env
  const child = spawn(process.execPath, [join(ROOT, 'tools', 'start.ts'), ...args], {env: {...rest, ...env}})
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function firstLine(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text
    const line = said.split('\n').find((one) => pattern.test(one))
    if (line !== undefined) return line
  }
  throw new Error(`it ended, and said: ${said}`)
}

test('where a runtime and a display are, the app is started in it with what was given', async () => {
  const child = start(['--demo', '--profile=/a b'], {DISPLAY: ':7', ELECTRON_OVERRIDE_DIST_PATH: distThatSays()})
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = await once(child, 'close')
  expect(said).toContain('An Electron runtime and a display are here, so Tidemark runs in a window of its own')
  expect(said).toMatch(new RegExp(`electron was given: (--no-sandbox )?${ROOT} --demo --profile=/a b`))
  expect(code).toBe(7)
})

test.each([
  ['without a display', {}, [], 'There is no display here, so Tidemark runs in host mode'],
  [
    'with a word of host mode',
    {DISPLAY: ':7'},
    ['--json'],
    '--json is a word of host mode, so Tidemark runs in host mode',
  ],
])('%s it serves, and says why', async (_how, env, args, words) => {
  const given = [
    '--profile',
    join(folder, 'profile'),
    ...(args.length === 0 ? [] : [...args, '--port', '0', '--no-open']),
  ]
  const child = start(given, {...env, ELECTRON_OVERRIDE_DIST_PATH: distThatSays()})
  expect(await firstLine(child, /host mode/)).toContain(words)
  child.kill('SIGKILL')
  await once(child, 'close')
})

test('a variable that names no dist is no runtime', () => {
  expect(hasRuntime(ROOT, {ELECTRON_OVERRIDE_DIST_PATH: folder})).toBe(false)
  expect(hasRuntime(ROOT, {ELECTRON_OVERRIDE_DIST_PATH: distThatSays()})).toBe(true)
})

const hurried = {onProgress: () => {}, patienceMs: 300}
/** For a server that answers, on whatever machine. */
const patient = {...hurried, patienceMs: 10_000}

test('a runtime that cannot be reached is given up', async () => {
  const env = {...process.env, ELECTRON_MIRROR: 'http://127.0.0.1:9/'}
  expect(await fetchRuntime(ROOT, env, hurried)).toEqual({ok: false, error: '127.0.0.1:9 cannot be reached'})
})

test('so is one that the server does not have, and one whose server never answers', async () => {
  let answers = true
  const server = createServer((_request, response) => {
    if (answers) response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const {port} = server.address() as AddressInfo // it listens on a port
  const env = {...process.env, ELECTRON_MIRROR: `http://127.0.0.1:${port}/`}
  expect(await fetchRuntime(ROOT, env, patient)).toEqual({ok: false, error: `127.0.0.1:${port} answers 404`})
  answers = false
  expect(await fetchRuntime(ROOT, env, hurried)).toEqual({ok: false, error: `127.0.0.1:${port} cannot be reached`})
})

test('so is one of which nothing comes', async () => {
  const server = createServer(({method}, response) => {
    if (method === 'HEAD') response.writeHead(200, {'content-length': '1000000'}).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const {port} = server.address() as AddressInfo // it listens on a port
  const env = {...process.env, ELECTRON_MIRROR: `http://127.0.0.1:${port}/`, electron_config_cache: folder}
  const shown: [number, number | undefined][] = []
  const onProgress = (bytes: number, total: number | undefined): void => void shown.push([bytes, total])
  const fetched = await fetchRuntime(ROOT, env, {onProgress, patienceMs: 1_500})
  expect(fetched).toEqual({ok: false, error: 'nothing came any more'})
  expect(shown[0]).toEqual([0, 1_000_000])
})
