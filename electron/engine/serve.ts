import {messageOf} from '../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import {
  type Channel,
  type Handlers,
  isChannel,
  type Parsed,
  type RequestError,
  requests,
} from '../../shared/contract/contract.ts'
import {StoreFailure} from './store/store.ts'

/** Thrown by a handler to say, in the contract's words, why it does not do what was asked. */
export class RefusedRequest extends Error {
  readonly error: RequestError
  constructor(code: Extract<RequestError, {kind: 'refused'}>['code'], detail: string) {
    super(detail)
    this.error = {kind: 'refused', code, detail}
  }
}

/** One untrusted request: known channel, parsed input, one handler, an answer as a value. Never rejects. */
export async function serve(handlers: Handlers, name: string, input: unknown): Promise<Result<unknown, RequestError>> {
  if (!isChannel(name)) return err({kind: 'unknownChannel', channel: name})
  const parsed = requests[name].input.safeParse(input)
  if (!parsed.success) return err({kind: 'badInput', channel: name, problem: parsed.error.message})
  try {
    return ok(await call(handlers, name, parsed.data))
  } catch (cause) {
    if (cause instanceof RefusedRequest) return err(cause.error)
    if (cause instanceof StoreFailure) return err({kind: 'refused', code: codeOf(cause), detail: cause.message})
    return err({kind: 'failed', detail: messageOf(cause)})
  }
}

function codeOf({error}: StoreFailure): 'storeFailed' | 'storeDamaged' {
  return error.kind === 'corrupt' ? 'storeDamaged' : 'storeFailed'
}

function call<C extends Channel>(handlers: Handlers, name: C, input: unknown): Promise<unknown> {
  return handlers[name](input as Parsed<C>) // parsed by this very channel's schema one step before
}
