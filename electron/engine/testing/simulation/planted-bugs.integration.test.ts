import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import {COMPILED} from '../compiled.ts'
import {PLANTED_BUGS} from '../planted-bugs.ts'

const execute = promisify(execFile)

const SCRIPT = join(import.meta.dirname, 'run-with-bug.ts')

function run(...args: readonly string[]): Promise<{readonly stdout: string}> {
  const env = {...process.env, NODE_COMPILE_CACHE: COMPILED}
  return execute(process.execPath, [SCRIPT, ...args], {env})
}

/** Every bug is planted in a process of its own, so that none of them is ever in the one that tests. */
test.concurrent.each(PLANTED_BUGS.map(({name}) => name))(
  'the simulation finds within a thousand seeds: %s',
  {timeout: 600_000},
  async (name) => {
    const {stdout} = await run(name, '1000')
    const [failure] = JSON.parse(stdout.trim()).failures
    expect(failure?.violation.rule).toEqual(expect.any(String))
    expect(failure?.violation.rule).not.toBe('the engine threw')
  },
)

test.concurrent('a seed that fails is shrunk to what it takes, and told with its last events', {
  timeout: 600_000,
}, async () => {
  const {stdout} = await run('a gap merges', '1000', 'explain')
  expect(stdout).toMatch(/^seed \d+, .* ms into the world: (the position is not what|what is visible is not what) .*\n/)
  // What takes the place of a position is a gap's baseline in one stream, a snapshot's in another, and every cursor of a numbered one.
  expect(stdout).toMatch(/what happened last:\n(.*\n)*.* moves (gapReplaced|snapshotAdopted|handled)/)
  const [, from, to] = /shrunk from (\d+) items to (\d+) in \d+ worlds\n$/.exec(stdout) ?? []
  expect(Number(to)).toBeLessThanOrEqual(3)
  expect(Number(from)).toBeGreaterThan(Number(to))
})
