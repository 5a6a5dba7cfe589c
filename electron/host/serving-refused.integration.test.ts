import {once} from 'node:events'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {type AddressInfo, createServer} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {type RunHostOptions, runHost} from './run-host.ts'

const QUIET = {demo: false, browser: false, json: false, version: '0'} as const

async function run(options: Partial<RunHostOptions>): Promise<{readonly code: number; readonly said: string}> {
  const lines: string[] = []
  const unheard = (line: string): never => {
    throw new Error(`said as a result: ${line}`)
  }
  const complain = (line: string): void => void lines.push(line)
  const code = await runHost({...QUIET, ...options}, {say: unheard, complain})
  return {code, said: lines.join('\n')}
}

/** A folder with a page in it, such as a build leaves. */
function builtPage(): string {
  const folder = temporaryDirectory()
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  return folder
}

test('without a built page nothing is served, the profile is not touched, and the command that builds it is named', async () => {
  const folder = temporaryDirectory()
  const profile = join(folder, 'profile')
  const page = join(folder, 'renderer')
  mkdirSync(page)
  const {code, said} = await run({profile, page})
  expect(code).toBe(1)
  expect(said).toContain(`${page}/index.html`)
  expect(said).toContain('npm run build')
  expect(existsSync(profile)).toBe(false)
})

test('a port that was asked for and is taken is named', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  onTestFinished(() => void holder.close())
  const {port} = holder.address() as AddressInfo // it listens on a port, so it is one of these
  const {code, said} = await run({profile: join(temporaryDirectory(), 'profile'), page: builtPage(), port})
  expect(code).toBe(1)
  expect(said).toContain(`Port ${port} is taken on this machine`)
})
