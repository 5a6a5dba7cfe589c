import type {Parsed} from '../../shared/contract/contract.ts'
import type {Handler} from '../../shared/handlers/handler.ts'
import type {SourceId, SourceRecord} from '../../shared/source/source.ts'
import {secretOf} from './handlers/handler-secret.ts'
import {RefusedRequest} from './serve.ts'
import type {SourceController} from './source-controller.ts'
import type {TokenStore} from './tokens.ts'

/**
 * Takes a whole list of handlers in its order. Secrets are kept first: a handler that is in force has its key. What runs just
 * now ends as it began; the next frame finds the new list.
 */
export async function setHandlers(
  controller: SourceController,
  {handlers, secrets}: Omit<Parsed<'handlers.set'>, 'source'>,
  tokens: TokenStore,
): Promise<void> {
  const {id, handlers: had = []} = controller.run.record
  const given = withoutOthers(new Map(secrets), had, handlers)
  const kept = await Promise.all(handlers.map((handler) => withSecret(id, handler, given.get(handler.id), tokens)))
  for (const {id: handler} of handlers) {
    const secret = given.get(handler)
    if (secret === undefined) continue
    await (secret === '' ? tokens.delete(secretOf(id, handler)) : tokens.set(secretOf(id, handler), secret))
  }
  const {handlers: before = []} = await controller.change({handlers: kept})
  const gone = before.filter((old) => !handlers.some((one) => one.id === old.id))
  for (const handler of gone) await tokens.delete(secretOf(id, handler.id))
  if ((before.length === 0) !== (handlers.length === 0)) await beginAnew(controller)
}

/** Frames of a source without handlers are acknowledged together, so the first and the last one change how it is read. */
async function beginAnew({run, restart, renewWhenDecided}: SourceController): Promise<void> {
  // A held source waits for the user's word about its frame, and a stopped one for whatever stopped it: a handler is neither.
  if (run.state.kind === 'held') return renewWhenDecided()
  if (!run.record.paused && run.state.kind !== 'stopped') await restart()
}

/** A secret was given for one thing, and is not handed to another one that took its place. Nor is it given to nobody. */
function withoutOthers(
  given: ReadonlyMap<string, string>,
  before: readonly Handler[],
  handlers: readonly Handler[],
): ReadonlyMap<string, string> {
  const nobody = [...given.keys()].find((id) => !handlers.some((one) => one.id === id))
  if (nobody !== undefined) throw new RefusedRequest('noSuchHandler', nobody)
  const kindOf = new Map(before.map(({id, action}) => [id, action.kind]))
  const changed = handlers.filter(({id, action}) => kindOf.has(id) && kindOf.get(id) !== action.kind && !given.has(id))
  return new Map([...given, ...changed.map(({id}) => [id, ''] as const)])
}

async function withSecret(
  source: SourceId,
  handler: Handler,
  given: string | undefined,
  tokens: TokenStore,
): Promise<Handler> {
  const secret = given ?? (await tokens.get(secretOf(source, handler.id))) ?? ''
  const {action} = handler
  if (action.kind === 'webhook' && secret === '') throw new RefusedRequest('noSecret', handler.name)
  return action.kind === 'command' ? {...handler, action: {...action, hasSecret: secret !== ''}} : handler
}

/** With the source its handlers' secrets go. */
export async function forgetSecrets({id, handlers = []}: SourceRecord, tokens: TokenStore): Promise<void> {
  await tokens.delete(id)
  for (const handler of handlers) await tokens.delete(secretOf(id, handler.id))
}
