import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryDirectory} from '../store/testing/temporary-store.ts'
import {createGuard} from './guard.ts'
import type {HandlerEnd} from './handler-callbacks.ts'
import {type CommandRun, runCommand} from './run-command.ts'
import {clock, deadlineWhen, gone, guard, never, WATCHDOG_URL} from './testing/handler-rig.ts'

function node(script: string, more: Partial<CommandRun> = {}): CommandRun {
  const argv = [process.execPath, '-e', script]
  return {
    argv,
    cwd: undefined,
    env: {PATH: process.env['PATH'] ?? ''},
    input: Buffer.from('{}\n'),
    secrets: [],
    ...more,
  }
}

function run(command: CommandRun, signal: AbortSignal = never): Promise<HandlerEnd> {
  return runCommand(command, {clock, guard: guard()}, signal)
}

test('a command reads the event on standard input, and its arguments as they are', async () => {
  const script = 'process.stdin.pipe(process.stdout); process.stdout.write(process.argv[1] + "\\n")'
  const argv = [process.execPath, '-e', script, '$(touch /tmp/x); `id` "quoted" *']
  expect(await run(node('', {argv, input: Buffer.from('{"a":1}\n')}))).toEqual({
    state: 'resolved',
    exitCode: 0,
    output: '$(touch /tmp/x); `id` "quoted" *\n{"a":1}\n',
    outputBytes: 41,
  })
})

test('it finds the environment it was given, its mark, and nothing of ours', async () => {
  const end = await run(
    node('process.stdout.write(Object.keys(process.env).sort().join())', {env: {PATH: '/bin', X: '1'}}),
  )
  expect(end.output).toBe('PATH,TIDEMARK_RUN,X')
})

test('it runs in the folder it was given', async () => {
  const cwd = temporaryDirectory()
  expect((await run(node('process.stdout.write(process.cwd())', {cwd}))).output).toBe(cwd)
  expect(await run(node('', {cwd: join(cwd, 'none')}))).toEqual({
    state: 'rejected',
    error: `there is no folder ${join(cwd, 'none')} to run it in`,
  })
})

const failures: ReadonlyArray<[what: string, command: CommandRun, end: object]> = [
  [
    'fails',
    node('console.error("no room"); process.exit(3)'),
    {state: 'rejected', exitCode: 3, error: 'it ended with exit code 3', output: 'no room\n'},
  ],
  [
    'dies',
    node('process.kill(process.pid, "SIGSEGV"); setInterval(() => {}, 1000)'),
    {state: 'rejected', signal: 'SIGSEGV', error: 'it was ended by SIGSEGV'},
  ],
  [
    'is not there',
    node('', {argv: ['/nowhere/at-all']}),
    {state: 'rejected', error: 'it could not be started: spawn /nowhere/at-all ENOENT'},
  ],
  [
    'does not read what it is told',
    node('process.exit(0)', {input: Buffer.alloc(8 * 1024 * 1024, 'x')}),
    {state: 'resolved', exitCode: 0},
  ],
]
test.each(failures)('a command that %s is shown as what it is', async (_what, command, end) => {
  expect(await run(command)).toMatchObject(end)
})

test('a file that may not be run is told as that', async () => {
  const file = join(temporaryDirectory(), 'notes')
  writeFileSync(file, 'no program')
  expect(await run(node('', {argv: [file]}))).toMatchObject({
    state: 'rejected',
    error: `it could not be started: spawn ${file} EACCES`,
  })
})

/** A command that tells by a file that it has begun, and goes on until it is ended. */
function endless(file: string, script = ''): CommandRun {
  return node(`${script}; require('fs').writeFileSync(${JSON.stringify(file)}, ''); setInterval(() => {}, 1000)`)
}

function begun(): {readonly file: string; readonly isThere: () => boolean} {
  const file = join(temporaryDirectory(), 'begun')
  return {file, isThere: () => existsSync(file)}
}

test('a command that hangs is ended at its deadline, also where it ignores the first word', async () => {
  const {file, isThere} = begun()
  const deaf = endless(file, 'process.on("SIGTERM", () => console.log("deaf")); console.log("up")')
  const end = await run(deaf, deadlineWhen(isThere))
  expect(end).toMatchObject({state: 'timedOut', signal: 'SIGKILL', error: 'it ran longer than its deadline'})
  expect(end.output).toMatch(/^up\n/)
})

const reasons: ReadonlyArray<[reason: string, state: string, error: string]> = [
  ['deadline', 'timedOut', 'it ran longer than its deadline'],
  ['closedWithApp', 'aborted', 'Tidemark closed while it ran'],
  ['restart', 'aborted', 'its source began anew while it ran'],
  ['asked', 'aborted', 'its source was stopped while it ran'],
]
test.each(reasons)('one that ends well only because it was asked to (%s) is not done', async (reason, state, error) => {
  const {file, isThere} = begun()
  const polite = endless(file, 'process.on("SIGTERM", () => process.exit(0))')
  expect(await run(polite, deadlineWhen(isThere, reason))).toMatchObject({state, exitCode: 0, error})
})

test('what is over before it was started is not started', async () => {
  const {file, isThere} = begun()
  expect(await run(endless(file), AbortSignal.abort('deadline'))).toMatchObject({state: 'timedOut'})
  expect(isThere()).toBe(false)
})

/** Starts a grandchild that ignores SIGTERM and tells its number in a file; `then` is what the command itself does. */
function forking(file: string, then: string, how = ''): CommandRun {
  const grandchild = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'
  return node(`
    const child = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], {stdio: 'inherit' ${how}})
    require('fs').writeFileSync(${JSON.stringify(file)}, String(child.pid))
    ${then}`)
}

const places = [
  ['in its group', ''],
  ['in a group of its own', ', detached: true'],
] as const

test.each(places)('what a command leaves running %s ends with it', async (_where, how) => {
  const file = join(temporaryDirectory(), 'pid')
  const ended = await run(forking(file, 'child.unref(); setTimeout(() => process.exit(0), 200)', how))
  expect(ended).toMatchObject({state: 'resolved', exitCode: 0})
  const pid = Number(readFileSync(file, 'utf8'))
  await gone(pid)
})

test('a shell that forks twice, each time into a session of its own, and ends at once leaves nothing behind', async () => {
  const file = join(temporaryDirectory(), 'pid')
  const script = `setsid sh -c 'trap "" TERM HUP; setsid sh -c "trap \\"\\" TERM; echo \\$\\$ > ${file}; sleep 600" & wait' & while [ ! -s ${file} ]; do sleep 0.05; done`
  expect(await run(node('', {argv: ['/bin/sh', '-c', script]}))).toMatchObject({state: 'resolved'})
  const pid = Number(readFileSync(file, 'utf8'))
  expect(pid).toBeGreaterThan(1)
  await gone(pid)
})

test.each(places)('at its deadline a grandchild %s that ignores SIGTERM is gone too', async (_where, how) => {
  const file = join(temporaryDirectory(), 'pid')
  const late = deadlineWhen(() => existsSync(file) && readFileSync(file, 'utf8') !== '')
  expect(await run(forking(file, 'setInterval(() => {}, 1000)', how), late)).toMatchObject({state: 'timedOut'})
  const pid = Number(readFileSync(file, 'utf8'))
  expect(pid).toBeGreaterThan(1)
  await gone(pid)
})

test('of a flood the end is kept, and all of it is counted', async () => {
  const end = await run(
    node(
      'for (let n = 0; n < 2000; n++) require("fs").writeSync(1, "x".repeat(9999) + "\\n"); require("fs").writeSync(1, "end")',
    ),
  )
  expect(end).toMatchObject({state: 'resolved', outputBytes: 20_000_003})
  expect(end.output).toHaveLength(65_536)
  expect(end.output?.endsWith('x\nend')).toBe(true)
})

test('an endless flood on both ways out ends at its deadline, and no more than its end is kept', async () => {
  const {file, isThere} = begun()
  const flood = `yes out & yes err >&2 & head -c 2000000 /dev/zero | tr '\\0' x; : > ${file}; wait`
  const end = await run(node('', {argv: ['/bin/sh', '-c', flood]}), deadlineWhen(isThere))
  expect(end).toMatchObject({state: 'timedOut'})
  expect(end.outputBytes).toBeGreaterThan(1_000_000)
  expect(Buffer.byteLength(end.output ?? '')).toBe(65_536)
})

test('one that closes its input early, and dies of what is left, is shown as what it is', async () => {
  const run8MiB = {argv: ['/bin/sh', '-c', 'exec 0<&-; kill -PIPE $$'], input: Buffer.alloc(8 * 1024 * 1024, 'x')}
  expect(await run(node('', run8MiB))).toMatchObject({state: 'rejected', signal: 'SIGPIPE'})
})

test('garbage is kept as text that steers no terminal', async () => {
  const end = await run(node('process.stdout.write(Buffer.from([0xff, 0x00, 0x1b, 0x5b, 0x32, 0x4a, 0x61, 0xc3]))'))
  expect(end).toMatchObject({state: 'resolved', outputBytes: 8, output: '\ufffd\ufffd\ufffd[2Ja\ufffd'})
})

test('secrets are not kept', async () => {
  const secrets = ['s3cret"value']
  const script =
    'console.log(process.env.S); console.log(JSON.stringify(process.env.S)); console.log("Authorization: Bearer abc.def")'
  const end = await run(node(script, {env: {S: 's3cret"value'}, secrets}))
  expect(end.output).toBe('[secret]\n"[secret]"\nAuthorization: Bearer [secret]\n')
})

test('what was written down as running is gone from the file when it ends', async () => {
  const file = join(temporaryDirectory(), 'running.json')
  const end = await runCommand(
    node(`process.stdout.write(require('fs').readFileSync(${JSON.stringify(file)}))`),
    {clock, guard: guard(file)},
    never,
  )
  const {runs} = JSON.parse(end.output ?? '')
  expect(runs).toMatchObject([{mark: expect.any(String)}])
  expect(existsSync(file)).toBe(false)
})

test.each([
  ['no watchdog can begin', new URL('file:///nowhere/watchdog.js'), '/running.json'],
  ['it cannot be written down', WATCHDOG_URL, '/no/such/folder/running.json'],
])('where %s, nothing is started', async (_why, watchdogUrl, name) => {
  const {file, isThere} = begun()
  const unfit = createGuard({watchdogUrl, file: `${temporaryDirectory()}${name}`})
  const end = await runCommand(endless(file), {clock, guard: unfit}, never)
  expect(end).toMatchObject({state: 'rejected', error: expect.stringMatching(/^it was not started, because nothing/)})
  expect(isThere()).toBe(false)
  unfit.close()
})
