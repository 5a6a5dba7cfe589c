import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {fileURLToPath} from 'node:url'
import {expect, onTestFinished, test} from 'vitest'
import type {Handler} from '../../../shared/handlers/handler.ts'
import {realClock} from '../../demo/demo-clock.ts'
import {findScenario} from '../../demo/scenarios.ts'
import {startDemoServer} from '../../demo/server.ts'
import {isRunning} from '../handlers/testing/handler-rig.ts'
import {profileFiles} from '../store/profile.ts'
import {temporaryDirectory} from '../store/testing/temporary-store.ts'
import {seededRandom} from '../testing/fast-clock.ts'
import {until} from '../testing/until.ts'

/*
 * A whole process with a real command as its handler is killed with SIGKILL again and again, at any moment. The command writes
 * what it is told to a file, which is its effect, and leaves a grandchild behind that ignores SIGTERM.
 */

const CHILD = fileURLToPath(new URL('../testing/kill/watch-with-handlers.ts', import.meta.url))
const SEED = 20_261_130
const LIVES = 8

interface Effect {
  readonly attempt: number
  readonly mayHaveRunBefore: boolean
  readonly idempotencyKey: string
  readonly coordinate: string
  readonly sequence: number
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

/** One run: its grandchild, its effect, and a moment in which it may be killed before it says that it is done. */
function command(effects: string, pids: string): Handler {
  const deaf = `${process.execPath} -e 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'`
  const script = `trap '' TERM; ${deaf} & echo $! >> ${pids}; cat >> ${effects}; sleep 0.1`
  const action = {kind: 'command', argv: ['/bin/sh', '-c', script], env: [], hasSecret: false} as const
  return {id: 'h-1', name: 'writes', rule: {}, deadlineMs: 30_000, attempts: 3, backoffMs: 0, action}
}

test('killed at any moment, no handled frame is without its effect, each repetition is announced, and nothing goes on running', {
  timeout: 300_000,
}, async () => {
  const scenario = findScenario('steady')
  if (scenario === undefined) throw new Error('no such scenario')
  const bridge = await startDemoServer({scenario, clock: realClock(), speed: 10})
  onTestFinished(bridge.close)
  const folder = temporaryDirectory()
  const [profile, effects, pids] = [join(folder, 'profile'), join(folder, 'effects'), join(folder, 'pids')]
  const {url, agentId, token} = bridge
  const plan = {profile, url, agentId, token, handlers: [command(effects, pids)]}
  const random = seededRandom(SEED)
  for (let life = 0; life < LIVES; life++) {
    const child = spawn(process.execPath, [CHILD, JSON.stringify(plan)], {stdio: ['pipe', 'ignore', 'inherit']})
    onTestFinished(() => void child.kill('SIGKILL'))
    const enough = linesOf(effects).length + 1 + Math.floor(random() * 3)
    await until(
      () => linesOf(effects).length >= enough,
      'some effects',
      () => `exit ${child.exitCode}`,
    )
    await new Promise((resolve) => setTimeout(resolve, random() * 150))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const left = () => linesOf(pids).map(Number).filter(isRunning)
    await until(() => left().length === 0, 'every grandchild to be gone', left)
  }
  const written = linesOf(effects).map((line) => JSON.parse(line) as Effect) // written by the command as it read them
  const {handled, attempts} = readHistory(profile)
  expect(handled.length).toBeGreaterThanOrEqual(LIVES)
  const byKey = Map.groupBy(written, ({idempotencyKey}) => idempotencyKey)
  const places = new Set(written.map(({coordinate, sequence}) => `${coordinate} ${sequence}`))
  expect(handled.filter((place) => !places.has(place))).toEqual([])
  for (const runs of byKey.values()) {
    const told = runs.map(({attempt}) => attempt)
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b))
    expect(runs.slice(1).every(({mayHaveRunBefore}) => mayHaveRunBefore)).toBe(true)
  }
  // What was cut off reads so, and the frame came again as the next attempt.
  const cutOff = attempts.filter(({state}) => state === 'aborted')
  expect(cutOff.length).toBeGreaterThan(0)
  const again = cutOff.filter(({frame, n}) => attempts.some((next) => next.frame === frame && next.n === n + 1))
  expect(cutOff.length - again.length).toBeLessThanOrEqual(1) // the last life's may still wait
})

interface AttemptLeft {
  readonly frame: number
  readonly n: number
  readonly state: string
}

/** As the disk knows it; an attempt that was open when the last process died has no word about its end yet. */
function readHistory(profile: string): {
  readonly handled: readonly string[]
  readonly attempts: readonly AttemptLeft[]
} {
  const db = new DatabaseSync(profileFiles(profile).store, {readOnly: true})
  const frames = db
    .prepare(`
      SELECT coordinates.name, frames.sequence FROM frames JOIN coordinates ON coordinates.id = frames.lane
      WHERE kind = 'event' AND outcome = 'handled'`)
    .all()
  const attempts = db.prepare('SELECT frame, n, state FROM attempts ORDER BY frame, n').all()
  db.close()
  return {
    handled: frames.map((row) => `${JSON.parse(String(row['name']))} ${row['sequence']}`),
    attempts: attempts.map((row) => ({frame: Number(row['frame']), n: Number(row['n']), state: String(row['state'])})),
  }
}
