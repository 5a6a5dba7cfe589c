import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, onTestFinished, test} from 'vitest'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {runProgram} from './program.ts'
import {told} from './testing/told.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

async function replay(file: string, profile: string): Promise<{readonly code: number; readonly notes: string}> {
  const output = told()
  const code = await runProgram(['replay', file, '--protocol', 'switch', '--profile', profile], output)
  return {code, notes: output.notes.join('\n')}
}

test('a file that cannot be read leaves nothing in the profile', async () => {
  const folder = temporaryDirectory()
  const profile = join(folder, 'profile')
  const missing = await replay(join(folder, 'missing.sse'), profile)
  expect(missing.code).toBe(1)
  expect(missing.notes).toContain('ENOENT')
  mkdirSync(join(folder, 'folder.sse'))
  const directory = await replay(join(folder, 'folder.sse'), profile)
  expect(directory.code).toBe(1)
  expect(directory.notes).toContain('it is a folder')
  expect(existsSync(profile)).toBe(false)
})

test('a file that can be read is a source of the profile afterwards', async () => {
  const folder = temporaryDirectory()
  const file = join(folder, 'one.sse')
  writeFileSync(file, 'id: 1\nevent: message\ndata: {}\n\n')
  expect((await replay(file, join(folder, 'profile'))).code).toBe(0)
  const output = told()
  expect(await runProgram(['positions', '--profile', join(folder, 'profile')], output)).toBe(0)
  expect(output.lines).toEqual(['one.sse: s 1'])
})

interface Ended {
  readonly code: number | null
  readonly errors: string
}

/** Runs `replay` as a process whose reader takes one piece of what it says and closes the pipe, as `head -1` does. */
async function replayHeaded(args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, 'replay', ...args, '--protocol', 'switch'], {stdio: 'pipe'})
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.on('error', () => {})
  const errors: Buffer[] = []
  child.stderr.on('data', (piece: Buffer) => errors.push(piece))
  const ended = once(child, 'close')
  if (args[0] === '-') child.stdin.write('id: 1\nevent: message\ndata: {}\n\n'.repeat(20_000)) // and no end
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = (await ended) as [number | null]
  return {code, errors: Buffer.concat(errors).toString()}
}

test('a reader that has all it wanted ends a replay quietly, of a file and of an input without end', async () => {
  const file = join(temporaryDirectory(), 'long.sse')
  writeFileSync(file, 'id: 1\nevent: message\ndata: {}\n\n'.repeat(60_000))
  expect(await replayHeaded([file])).toEqual({code: 0, errors: ''})
  expect(await replayHeaded(['-'])).toEqual({code: 0, errors: ''})
})

test('what was not read to its end is not called in order', async () => {
  const file = join(temporaryDirectory(), 'long.sse')
  writeFileSync(file, 'id: 1\nevent: message\ndata: {}\n\n'.repeat(60_000))
  expect(await replayHeaded([file, '--strict'])).toEqual({code: 1, errors: ''})
})
