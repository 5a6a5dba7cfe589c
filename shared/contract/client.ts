import {messageOf} from '../base/message-of.ts'
import {err, ok, type Result} from '../base/result.ts'
import {
  type ChangeBatch,
  type Channel,
  changeBatch,
  type Input,
  type Output,
  type RequestError,
  requestError,
  requests,
} from './contract.ts'

/** Carries requests and change batches: the preload bridge, or a WebSocket. Everything that crosses is untrusted until parsed here. */
export interface Transport {
  /** Resolves to a `Result` as a plain value; rejects only where no answer came. */
  readonly request: (channel: string, input: unknown) => Promise<unknown>
  /** Returns its own undo. */
  readonly subscribe: (onBatch: (batch: unknown) => void) => () => void
}

export interface Client {
  readonly request: <C extends Channel>(channel: C, input: Input<C>) => Promise<Result<Output<C>, RequestError>>
  readonly subscribe: (onBatch: (batch: ChangeBatch) => void, onBroken: (problem: string) => void) => () => void
}

export function createClient(transport: Transport): Client {
  return {
    request: (channel, input) => request(transport, channel, input),
    subscribe: (onBatch, onBroken) =>
      transport.subscribe((raw) => {
        const batch = changeBatch.safeParse(raw)
        if (batch.success) onBatch(batch.data)
        else onBroken(batch.error.message)
      }),
  }
}

async function request<C extends Channel>(
  transport: Transport,
  channel: C,
  input: Input<C>,
): Promise<Result<Output<C>, RequestError>> {
  let answer: unknown
  try {
    answer = await transport.request(channel, input)
  } catch (cause) {
    return err({kind: 'unreachable', detail: messageOf(cause)})
  }
  return readAnswer(channel, answer)
}

function readAnswer<C extends Channel>(channel: C, answer: unknown): Result<Output<C>, RequestError> {
  if (typeof answer !== 'object' || answer === null || !('ok' in answer)) return unreadable(channel, 'no result')
  if (answer.ok === true && 'value' in answer) {
    const value = requests[channel].output.safeParse(answer.value)
    // The schema of this channel made it; TypeScript cannot follow the index through the generic.
    return value.success ? ok(value.data as Output<C>) : unreadable(channel, value.error.message)
  }
  const error = requestError.safeParse('error' in answer ? answer.error : undefined)
  return error.success ? err(error.data) : unreadable(channel, error.error.message)
}

function unreadable(channel: string, problem: string): Result<never, RequestError> {
  return err({kind: 'failed', detail: `the answer to ${channel} could not be read: ${problem}`})
}
