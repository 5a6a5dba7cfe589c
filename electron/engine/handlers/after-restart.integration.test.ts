import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {expect, onTestFinished, test} from 'vitest'
import type {FrameDetail} from '../../../shared/contract/contract.ts'
import type {HandlerAction} from '../../../shared/handlers/handler.ts'
import {realClock} from '../../demo/demo-clock.ts'
import {findScenario} from '../../demo/scenarios.ts'
import {startDemoServer} from '../../demo/server.ts'
import type {Engine} from '../engine.ts'
import {openProfile} from '../open-profile.ts'
import {outsideWorld} from '../outside-world.ts'
import {fileTokens} from '../store/file-tokens.ts'
import {profileFiles} from '../store/profile.ts'
import {temporaryDirectory} from '../store/testing/temporary-store.ts'
import {WORKER_URL} from '../store/testing/worker-url.ts'
import {until} from '../testing/until.ts'
import {clock, handler, WATCHDOG_URL} from './testing/handler-rig.ts'

/*
 * What goes wrong with a handler is kept as what it was, and its frame comes again when Tidemark is started again: a real
 * profile, real processes and requests, the engine put together as it runs.
 */

async function open(profile: string): Promise<{readonly engine: Engine; readonly close: () => Promise<void>}> {
  const opened = await openProfile({
    directory: profile,
    mode: 'host',
    version: '0',
    workerUrl: WORKER_URL,
    watchdogUrl: WATCHDOG_URL,
    clock,
    tokens: fileTokens(profileFiles(profile).tokens),
    ...outsideWorld(clock),
    onTrouble: () => {},
  })
  if (!opened.ok) throw new Error(opened.error.kind)
  onTestFinished(opened.value.close)
  return opened.value
}

interface Trouble {
  readonly action: HandlerAction
  readonly deadlineMs: number
  /** From now on the handler does what it is there for. */
  readonly mend: () => void
}

/** The pause before another attempt is far longer than what is done in it, so it is the restart that brings the frame again. */
const PAUSED = {attempts: 100, backoffMs: 30_000}
/** At this deadline ends what would never end. In ms. */
const SHORT_MS = 1_000
/** For what ends by itself. */
const LONG_MS = 60_000

/** Watches with a handler in trouble, starts again with it mended, and tells what became of the first frame. */
async function throughRestart({action, deadlineMs, mend}: Trouble): Promise<FrameDetail> {
  const scenario = findScenario('steady')
  if (scenario === undefined) throw new Error('no such scenario')
  const {url, agentId, token, close: closeBridge} = await startDemoServer({scenario, speed: 10, clock: realClock()})
  onTestFinished(closeBridge)
  const profile = temporaryDirectory()
  const {engine, close} = await open(profile)
  const settings = {kind: 'switch', url, agentId, watchAs: 'own', startFrom: 'retained'} as const
  const {source} = await engine.handlers['sources.add']({name: 'releases', settings, token})
  const secrets: [string, string][] = action.kind === 'webhook' ? [['h-1', 'the signing key']] : []
  const set = (ms: number) =>
    engine.handlers['handlers.set']({source, handlers: [handler(action, {...PAUSED, deadlineMs: ms})], secrets})
  await set(deadlineMs)
  const frame = await rejectedFrame(engine)
  await set(LONG_MS)
  await close()
  mend()
  const again = await open(profile)
  const detail = () => again.engine.handlers['frames.detail']({frame})
  await until(async () => (await detail()).frame.outcome === 'handled', 'the frame to be handled', detail)
  const told = await detail()
  await again.close()
  return told
}

async function rejectedFrame(engine: Engine): Promise<number> {
  const page = () => engine.handlers['frames.page']({filter: {outcomes: ['rejected']}, limit: 1})
  await until(async () => (await page()).frames.length > 0, 'a frame that is rejected', page)
  return (await page()).frames[0]?.id ?? 0
}

/** One that failed as told, then one that is done. Where a machine is slow beyond the pause there may be more, or one cut off by the end. */
function expectAttempts({attempts}: FrameDetail, failed: object): void {
  const [last, ...before] = attempts.toReversed()
  const failures = before.filter(({state}) => state !== 'aborted')
  expect(failures.length).toBeGreaterThan(0)
  for (const {runs} of failures) expect(runs).toMatchObject([failed])
  expect(last).toMatchObject({n: before.length + 1, state: 'resolved', runs: [{state: 'resolved'}]})
}

/** A life is a whole profile, on a machine that may have much else to do. */
const PATIENT = {timeout: 300_000}

const commands: ReadonlyArray<[what: string, script: string, deadlineMs: number, failed: object]> = [
  ['fails', 'echo no room >&2; exit 3', LONG_MS, {state: 'rejected', exitCode: 3, output: 'no room\n'}],
  ['hangs', 'trap "" TERM; sleep 600', SHORT_MS, {state: 'timedOut'}],
  ['forks and fails', '(trap "" TERM; sleep 600) & exit 4', LONG_MS, {state: 'rejected', exitCode: 4}],
  [
    'floods its output',
    'head -c 20000000 /dev/zero | tr "\\0" x; exit 5',
    LONG_MS,
    {state: 'rejected', exitCode: 5, outputBytes: 20_000_000, output: 'x'.repeat(65_536)},
  ],
  [
    'writes garbage',
    'printf "\\377\\000\\033[2J"; exit 6',
    LONG_MS,
    {state: 'rejected', exitCode: 6, output: '\ufffd\ufffd\ufffd[2J'},
  ],
  ['dies', 'kill -SEGV $$', LONG_MS, {state: 'rejected', signal: 'SIGSEGV'}],
]
test.each(commands)(
  'a command that %s is kept as that, and runs again after a restart',
  PATIENT,
  async (...trouble) => {
    const [_what, script, deadlineMs, failed] = trouble
    const folder = temporaryDirectory()
    const [mended, told] = [join(folder, 'mended'), join(folder, 'told')]
    const whole = `if [ -e ${mended} ]; then cat >> ${told}; exit 0; fi; ${script}`
    const action = {kind: 'command', argv: ['/bin/sh', '-c', whole], env: [], hasSecret: false} as const
    const detail = await throughRestart({action, deadlineMs, mend: () => writeFileSync(mended, '')})
    expectAttempts(detail, failed)
    expect(existsSync(told)).toBe(true)
    const [first = ''] = readFileSync(told, 'utf8').split('\n')
    expect(JSON.parse(first)).toMatchObject({attempt: detail.attempts.length, mayHaveRunBefore: true})
  },
)

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

const webhooks: ReadonlyArray<[what: string, answer: Answer, deadlineMs: number, failed: object]> = [
  [
    'answers 500',
    (_request, response) => response.writeHead(500).end('no room'),
    LONG_MS,
    {state: 'rejected', status: 500, output: 'no room'},
  ],
  ['does not answer', () => {}, SHORT_MS, {state: 'timedOut'}],
  ['resets the connection', ({socket}) => socket.resetAndDestroy(), LONG_MS, {state: 'rejected'}],
  [
    'redirects',
    (_request, response) => response.writeHead(307, {Location: '/elsewhere'}).end(),
    LONG_MS,
    {state: 'rejected', status: 307},
  ],
  ['never ends its answer', (_request, response) => response.write('a little'), SHORT_MS, {state: 'timedOut'}],
]
test.each(webhooks)(
  'a webhook that %s is kept as that, and is sent again after a restart',
  PATIENT,
  async (...trouble) => {
    const [_what, answer, deadlineMs, failed] = trouble
    const heard: IncomingHttpHeaders[] = []
    let isMended = false
    const mend = (): void => {
      isMended = true
    }
    const server = createServer(async (request, response) => {
      heard.push(request.headers)
      await text(request).catch(() => '') // its sender gave it up
      if (isMended) response.end()
      else answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const action = {kind: 'webhook', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`} as const
    const detail = await throughRestart({action, deadlineMs, mend})
    expectAttempts(detail, failed)
    const same = heard.filter((headers) => headers['idempotency-key'] === heard[0]?.['idempotency-key'])
    expect(same.map((headers) => headers['tidemark-attempt'])).toEqual(detail.attempts.map(({n}) => String(n)))
  },
)
