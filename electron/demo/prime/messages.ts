import type {JsonObject} from '../../../shared/base/json.ts'

/** The network-free model of every demo session. */
export const MODEL: JsonObject = {
  id: 'demo',
  name: 'demo',
  api: 'demo',
  provider: 'demo',
  baseUrl: 'http://localhost:0',
  reasoning: false,
  input: ['text', 'image'],
  cost: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0},
  contextWindow: 200_000,
  maxTokens: 64_000,
}

export function userMessage(text: string, timestamp: number): JsonObject {
  return {role: 'user', content: [{type: 'text', text}], timestamp}
}

/** @param broke - an answer that was aborted or failed says why in `errorMessage` */
export function assistantMessage(
  content: readonly JsonObject[],
  stopReason: string,
  timestamp: number,
  errorMessage?: string,
): JsonObject {
  const output = Math.ceil(JSON.stringify(content).length / 4)
  return {
    role: 'assistant',
    content,
    api: 'demo',
    provider: 'demo',
    model: 'demo',
    usage: {
      input: 320,
      output,
      cacheRead: 4_800,
      cacheWrite: 320,
      totalTokens: 5_440 + output,
      cost: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0},
    },
    stopReason,
    timestamp,
    ...(errorMessage === undefined ? {} : {errorMessage}),
  }
}

export interface ToolOutcome {
  readonly id: string
  readonly tool: string
  readonly text: string
  readonly isError: boolean
}

export function toolResultMessage({id, tool, text, isError}: ToolOutcome, timestamp: number): JsonObject {
  return {role: 'toolResult', toolCallId: id, toolName: tool, ...toolResult(text, !isError), isError, timestamp}
}

export function toolResult(
  text: string,
  ok: boolean,
): {readonly content: readonly JsonObject[]; readonly details: JsonObject} {
  return {content: [{type: 'text', text}], details: {ok}}
}

export function bashMessage(command: string, output: string, exitCode: number, timestamp: number): JsonObject {
  return {
    role: 'bashExecution',
    command,
    output,
    exitCode,
    cancelled: false,
    truncated: false,
    timestamp,
    excludeFromContext: false,
  }
}

/** What a reopened session finds at the end of its transcript. */
export function recoveryMessage(activeSessionId: string, timestamp: number): JsonObject {
  return {
    role: 'custom',
    customType: 'prime-agent.worker_recovery',
    content: 'The session worker stopped and was started again.',
    display: true,
    details: {activeSessionId, operations: []},
    timestamp,
  }
}

export function compactionMessage(summary: string, timestamp: number): JsonObject {
  return {role: 'compactionSummary', summary, tokensBefore: 150_000, timestamp}
}

/** A transcript from before the demo began: question and answer in turn. */
export function pastMessages(count: number, chars: number, before: number): readonly JsonObject[] {
  return Array.from({length: count}, (_, n) => {
    const timestamp = before - (count - n) * 1_000
    const text = `${n % 2 === 0 ? 'question' : 'answer'} ${Math.floor(n / 2) + 1} `.padEnd(chars, '~')
    return n % 2 === 0 ? userMessage(text, timestamp) : assistantMessage([{type: 'text', text}], 'stop', timestamp)
  })
}
