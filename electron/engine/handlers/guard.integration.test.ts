import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, onTestFinished, test} from 'vitest'
import {temporaryDirectory} from '../store/testing/temporary-store.ts'
import {until} from '../testing/until.ts'
import {bootId, RUN_MARK, startTimeOf} from './process-group.ts'
import {reapLeftOver} from './reap-left-over.ts'
import {gone, isRunning} from './testing/handler-rig.ts'

const SCRIPT = fileURLToPath(new URL('testing/run-until-killed.ts', import.meta.url))
const DEAF = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'

/** Tells the numbers of itself and of a grandchild that ignores SIGTERM, one in each file. */
function forker(own: string, grandchild: string, how = ''): readonly string[] {
  const script = `
    const {spawn} = require('child_process'), fs = require('fs')
    process.on('SIGTERM', () => {})
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(DEAF)}], {stdio: 'inherit' ${how}})
    fs.writeFileSync(${JSON.stringify(own)}, String(process.pid))
    fs.writeFileSync(${JSON.stringify(grandchild)}, String(child.pid))
    setInterval(() => {}, 1000)`
  return [process.execPath, '-e', script]
}

interface Started {
  readonly engine: ChildProcess
  readonly file: string
  readonly command: number
  readonly grandchild: number
}

async function start(how = ''): Promise<Started> {
  const folder = temporaryDirectory()
  const file = join(folder, 'running.json')
  const [own, grandchild] = [join(folder, 'own'), join(folder, 'grandchild')]
  const engine = spawn(process.execPath, [SCRIPT, file, JSON.stringify(forker(own, grandchild, how))], {
    stdio: 'ignore',
  })
  onTestFinished(() => void engine.kill('SIGKILL'))
  const told = (path: string): number => (existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0)
  await until(
    () => told(grandchild) > 0,
    'a command with a grandchild',
    () => `exit ${engine.exitCode}`,
  )
  return {engine, file, command: told(own), grandchild: told(grandchild)}
}

test.each([
  ['its group', ''],
  ['a grandchild that left its group', ', detached: true'],
])('killed by kill -9, a command and %s are gone, deaf as they are', async (_what, how) => {
  const {engine, command, grandchild} = await start(how)
  expect([command, grandchild].map(isRunning)).toEqual([true, true])
  engine.kill('SIGKILL')
  await gone(command, grandchild)
})

test('killed with its whole group, its watchdog is not among them', async () => {
  const folder = temporaryDirectory()
  const [own, grandchild] = [join(folder, 'own'), join(folder, 'grandchild')]
  const argv = [SCRIPT, join(folder, 'running.json'), JSON.stringify(forker(own, grandchild))]
  const engine = spawn(process.execPath, argv, {stdio: 'ignore', detached: true})
  await until(
    () => existsSync(grandchild),
    'a command with a grandchild',
    () => '',
  )
  process.kill(-(engine.pid ?? 0), 'SIGKILL')
  await gone(Number(readFileSync(own, 'utf8')), Number(readFileSync(grandchild, 'utf8')))
})

/** Numbers of the watchdogs of this process: its children that run the script. */
function watchdogsOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return children.filter((child) => commandLineOf(child).includes('watchdog'))
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return '' // gone meanwhile
  }
}

test('a watchdog that dies is replaced, and the new one knows what runs', async () => {
  const {engine, command, grandchild} = await start()
  const pid = engine.pid ?? 0
  const [first] = watchdogsOf(pid)
  if (first === undefined) throw new Error('it has no watchdog')
  process.kill(first, 'SIGKILL')
  await until(
    () => watchdogsOf(pid).some((one) => one !== first),
    'another watchdog',
    () => '',
  )
  engine.kill('SIGKILL')
  await gone(command, grandchild)
})

test('should both be killed, the next start ends what is left', async () => {
  const {engine, file, command, grandchild} = await start()
  const watchdogs = watchdogsOf(engine.pid ?? 0)
  process.kill(engine.pid ?? 0, 'SIGSTOP') // so that it starts no other one
  for (const pid of watchdogs) process.kill(pid, 'SIGKILL')
  engine.kill('SIGKILL')
  await once(engine, 'exit')
  expect([command, grandchild].map(isRunning)).toEqual([true, true])
  expect(reapLeftOver(file)).toBeGreaterThan(0)
  await gone(command, grandchild)
  expect(existsSync(file)).toBe(false)
})

function stranger(env: Readonly<Record<string, string>> = {}): number {
  const child = spawn(process.execPath, ['-e', DEAF], {stdio: 'ignore', detached: true, env: {...process.env, ...env}})
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

function leave(runs: readonly object[], boot = bootId()): string {
  const file = join(temporaryDirectory(), 'running.json')
  writeFileSync(file, JSON.stringify({boot, runs}))
  return file
}

test('a process that only has the number of one that ran then is left alone', async () => {
  const pid = stranger()
  expect(reapLeftOver(leave([{mark: 'm-1', pid, startTime: '12345'}]))).toBe(0)
  expect(reapLeftOver(leave([{mark: 'm-1', pid}]))).toBe(0)
  expect(reapLeftOver(leave([{mark: 'm-1', pid, startTime: startTimeOf(pid)}], 'another boot'))).toBe(0)
  expect(isRunning(pid)).toBe(true)
  expect(reapLeftOver(leave([{mark: 'm-1', pid, startTime: startTimeOf(pid)}]))).toBe(1)
  await gone(pid)
})

test('one whose number nobody had time to write down is known by its mark', async () => {
  const pid = stranger({[RUN_MARK]: 'm-2'})
  await until(
    () => readFileSync(`/proc/${pid}/environ`, 'latin1').includes('m-2'),
    'it to have begun',
    () => '',
  )
  expect(reapLeftOver(leave([{mark: 'm-20'}]))).toBe(0)
  expect(reapLeftOver(leave([{mark: 'm-2'}]))).toBe(1)
  await gone(pid)
})

test('a file that says nothing sensible harms nobody', () => {
  const file = join(temporaryDirectory(), 'running.json')
  expect(reapLeftOver(file)).toBe(0)
  writeFileSync(file, '{"runs": "all"')
  expect(reapLeftOver(file)).toBe(0)
})
