import {expect, test} from 'vitest'
import type {HandlerCall} from '../../../shared/handlers/handler-input.ts'
import type {HandlerEnd} from './handler-callbacks.ts'
import {createHandlerRunner} from './run-handler.ts'
import {call, clock, guard, handler, memoryTokens, never} from './testing/handler-rig.ts'

const SECRET = 'the own secret'
/** Of the process that Tidemark is: most of it is nobody else's business. */
const OURS = {
  PATH: process.env['PATH'],
  HOME: import.meta.dirname,
  GITHUB_TOKEN: 'leaks',
  NODE_OPTIONS: '--no-warnings',
  SSH_AUTH_SOCK: '/run/agent',
}

/** A command whose script finds itself as a handler's. */
function runScript(script: string, env: readonly (readonly [string, string])[], more: Partial<HandlerCall>) {
  const notify = (): Promise<never> => Promise.reject(new Error('not asked for'))
  const tokens = memoryTokens({'s-1': 'agent-token', 's-1 handler h-1': SECRET})
  const run = createHandlerRunner({clock, tokens, guard: guard(), notify, environment: OURS})
  const action = {kind: 'command', argv: [process.execPath, '-e', script], env, hasSecret: true} as const
  return run(handler(action), call(more), never)
}

function json({output}: HandlerEnd): unknown {
  return JSON.parse(output ?? '')
}

test('a command finds a clean environment, what it is told, and its own variables', async () => {
  const script = `
    const {TIDEMARK_RUN, TIDEMARK_SECRET, ...env} = process.env
    console.log(JSON.stringify({...env, folder: process.cwd(), knows: TIDEMARK_SECRET === ${JSON.stringify(SECRET)}}))`
  const own = [
    ['OWN', '1'],
    ['TIDEMARK_ATTEMPT', 'a lie'],
  ] as const
  expect(json(await runScript(script, own, {attempt: 2, key: 's-1/0/s/19/ab'}))).toEqual({
    PATH: OURS.PATH,
    HOME: OURS.HOME,
    OWN: '1',
    TIDEMARK_SOURCE: 's-1',
    TIDEMARK_ATTEMPT: '2',
    TIDEMARK_IDEMPOTENCY_KEY: 's-1/0/s/19/ab',
    folder: OURS.HOME,
    knows: true,
  })
})

test('a command reads one line of JSON, with what the server sent as it was sent', async () => {
  const script = `
    let text = ''
    process.stdin.on('data', (more) => (text += more)).on('end', () => console.log(JSON.stringify(text.split('\\n'))))`
  const told = call({attempt: 2})
  const [line = '', ...rest] = json(await runScript(script, [], {attempt: 2})) as string[]
  expect(rest).toEqual([''])
  expect(JSON.parse(line)).toMatchObject({mayHaveRunBefore: true, attempt: 2, data: told.frame.data})
})

test('neither its secret nor the token of its source is kept of what a command says', async () => {
  const end = await runScript('console.log(process.env.TIDEMARK_SECRET, "agent-token"); process.exit(1)', [], {})
  expect(end).toMatchObject({state: 'rejected', exitCode: 1, output: '[secret] [secret]\n'})
})
