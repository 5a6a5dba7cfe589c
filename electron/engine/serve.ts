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
import {holdsTooMuch} from '../../shared/contract/holds-too-much.ts'
import {StoreFailure} from './store/store.ts'

/** Of what is wrong with an input, so many things are told, each and whatever else is given back in so many characters. */
const ISSUES_TOLD = 3
const TOLD_LENGTH = 200

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
  if (!isChannel(name)) return err({kind: 'unknownChannel', channel: cut(name)})
  if (holdsTooMuch(input)) return err({kind: 'badInput', channel: name, problem: 'it holds more than any screen sends'})
  const parsed = requests[name].input.safeParse(input)
  if (!parsed.success) return err({kind: 'badInput', channel: name, problem: problemOf(parsed.error.issues)})
  try {
    return ok(await call(handlers, name, parsed.data))
  } catch (cause) {
    if (cause instanceof RefusedRequest) return err(cause.error)
    if (cause instanceof StoreFailure) return err({kind: 'refused', code: codeOf(cause), detail: cause.message})
    return err({kind: 'failed', detail: messageOf(cause)})
  }
}

/** A few words, however large the input: all that can be wrong with one would be many times its size. */
function problemOf(issues: readonly {readonly path: readonly PropertyKey[]; readonly message: string}[]): string {
  const first = issues.slice(0, ISSUES_TOLD).map(({path, message}) => cut(`${path.map(String).join('.')}: ${message}`))
  const others = issues.length - first.length
  return [...first, ...(others > 0 ? [`and ${others} more`] : [])].join('; ')
}

function cut(text: string): string {
  return text.length <= TOLD_LENGTH ? text : `${text.slice(0, TOLD_LENGTH)}…`
}

function codeOf({error}: StoreFailure): 'storeFailed' | 'storeDamaged' {
  return error.kind === 'corrupt' ? 'storeDamaged' : 'storeFailed'
}

function call<C extends Channel>(handlers: Handlers, name: C, input: unknown): Promise<unknown> {
  return handlers[name](input as Parsed<C>) // parsed by this very channel's schema one step before
}
