import {execFile} from 'node:child_process'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect, test} from 'vitest'
import {PLANTED_BUGS} from './planted-bugs.ts'

const run = promisify(execFile)

/** Every bug is planted in a process of its own, so that none of them is ever in the one that tests. */
test.concurrent.each(PLANTED_BUGS.map(({name}) => name))(
  'the simulation finds within a thousand seeds: %s',
  {timeout: 300_000},
  async (name) => {
    const {stdout} = await run(process.execPath, [join(import.meta.dirname, 'run-with-bug.ts'), name, '1000'])
    const [failure] = JSON.parse(stdout.trim()).failures
    expect(failure?.violation.rule).toEqual(expect.any(String))
    expect(failure?.violation.rule).not.toBe('the engine threw')
  },
)
