import {createHmac} from 'node:crypto'
import {assertNever} from '../../../shared/base/assert-never.ts'
import {messageOf} from '../../../shared/base/message-of.ts'
import type {Handler} from '../../../shared/handlers/handler.ts'
import {type HandlerCall, handlerInput} from '../../../shared/handlers/handler-input.ts'
import {scrubSecrets} from '../../../shared/handlers/scrub-secrets.ts'
import {oneLine} from '../../../shared/source/one-line.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {Clock} from '../clock.ts'
import type {TokenStore} from '../tokens.ts'
import {cleanEnvironment} from './clean-environment.ts'
import type {Guard} from './guard.ts'
import type {HandlerEnd, RunHandler} from './handler-callbacks.ts'
import {secretOf} from './handler-secret.ts'
import {interrupted} from './interrupted.ts'
import type {Notify} from './notify.ts'
import {runCommand} from './run-command.ts'
import {sendWebhook} from './send-webhook.ts'

export interface HandlerRunnerDeps {
  readonly clock: Clock
  readonly tokens: TokenStore
  readonly guard: Guard
  readonly notify: Notify
  /** Of this process: a command gets little of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Runs the user's handlers for real: processes, requests, notifications. What is kept of them has no secret in it. */
export function createHandlerRunner(deps: HandlerRunnerDeps): RunHandler {
  return async (handler, call, until, draftSecret) => {
    const known = await secretsFor(handler, call, deps, draftSecret)
    if ('error' in known) return {state: 'rejected', error: known.error}
    const end = await act(handler, call, deps, {...known, until})
    return end.error === undefined ? end : {...end, error: oneLine(scrubSecrets(end.error, known.secrets))}
  }
}

interface Known {
  /** The handler's own. */
  readonly own: string | undefined
  /** All that must not be kept. */
  readonly secrets: readonly string[]
}

async function secretsFor(
  handler: Handler,
  {source}: HandlerCall,
  {tokens}: HandlerRunnerDeps,
  draftSecret: string | undefined,
): Promise<Known | {readonly error: string}> {
  const id = source.id as SourceId // a call names a source that is there
  try {
    const own = draftSecret ?? (await tokens.get(secretOf(id, handler.id)))
    const token = await tokens.get(id)
    return {own, secrets: [own, token].flatMap((secret) => (secret === undefined || secret === '' ? [] : [secret]))}
  } catch (cause) {
    return {error: `its secret cannot be read: ${messageOf(cause)}`}
  }
}

function act(
  handler: Handler,
  call: HandlerCall,
  deps: HandlerRunnerDeps,
  {own, secrets, until}: Known & {readonly until: AbortSignal},
): Promise<HandlerEnd> | HandlerEnd {
  const {action} = handler
  const input = Buffer.from(`${JSON.stringify(handlerInput(call))}\n`)
  switch (action.kind) {
    case 'command': {
      const {argv, cwd} = action
      const env = {...cleanEnvironment(deps.environment), ...Object.fromEntries(action.env), ...told(call, own)}
      return runCommand({argv, cwd: cwd ?? env['HOME'], env, input, secrets}, deps, until)
    }
    case 'webhook':
      if (own === undefined || own === '') return {state: 'rejected', error: 'it has no key to sign with'}
      return sendWebhook({url: action.url, body: input, headers: signed(input, own, call), secrets}, until)
    case 'notification':
      return notification(handler, call, deps, until)
    default:
      return assertNever(action)
  }
}

function told({key, attempt, source, isTest}: HandlerCall, secret: string | undefined): Record<string, string> {
  return {
    TIDEMARK_SOURCE: source.id,
    TIDEMARK_ATTEMPT: String(attempt),
    TIDEMARK_IDEMPOTENCY_KEY: key,
    ...(isTest ? {TIDEMARK_TEST: '1'} : {}),
    ...(secret === undefined ? {} : {TIDEMARK_SECRET: secret}),
  }
}

/** The signature is over the body, byte by byte. */
function signed(body: Buffer, key: string, call: HandlerCall): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Tidemark',
    'Idempotency-Key': call.key,
    'Tidemark-Attempt': String(call.attempt),
    'Tidemark-Signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
    ...(call.isTest ? {'Tidemark-Test': '1'} : {}),
  }
}

async function notification(
  handler: Handler,
  call: HandlerCall,
  {notify}: HandlerRunnerDeps,
  until: AbortSignal,
): Promise<HandlerEnd> {
  const {source, frame, attempt, isTest} = call
  const again = attempt > 1 ? ` (attempt ${attempt}: it may have been shown before)` : ''
  const title = `${source.name}: ${handler.name}${isTest ? ' (test)' : ''}`
  const where = call.place.lane === undefined ? '' : ` on ${call.place.lane}`
  // A desktop would show it all the same, and nobody would end the wait for its word.
  if (until.aborted) return interrupted(until)
  try {
    const shown = await notify({title, body: `${frame.event}${where}${again}`, source: source.id}, until)
    return {state: 'resolved', output: shown, outputBytes: Buffer.byteLength(shown)}
  } catch (cause) {
    if (!until.aborted) return {state: 'rejected', error: messageOf(cause)}
    const {state, error} = interrupted(until)
    return {state, error: `${error}: ${messageOf(cause)}`}
  }
}
