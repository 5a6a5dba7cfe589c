import {assertNever} from '../../../shared/base/assert-never.ts'
import type {JsonObject} from '../../../shared/base/json.ts'
import {createAnswer} from './answer.ts'
import {bashMessage, compactionMessage, toolResult, toolResultMessage, userMessage} from './messages.ts'
import type {AgentAction} from './scenario.ts'
import {type DemoSession, queueOf, type ToolRun} from './session.ts'

type Act<K extends AgentAction['kind']> = Extract<AgentAction, {kind: K}>

/**
 * What a worker's agent does, as events of its session (`session_event.event`), in order. Changes the session.
 *
 * @param epochMs - for what carries a timestamp
 */
export function actAsAgent(session: DemoSession, action: AgentAction, epochMs: number): readonly JsonObject[] {
  session.modified = epochMs
  switch (action.kind) {
    case 'prompt':
      return prompt(session, action, epochMs)
    case 'answer':
      session.answer = createAnswer(epochMs)
      return [session.answer.start()]
    case 'delta':
      return answerOf(session).delta(action.block, action.text)
    case 'callTool':
      return callTool(session, action, epochMs)
    case 'answered':
      return answered(session, action)
    case 'toolStart':
    case 'toolUpdate':
    case 'toolEnd':
      return runTool(session, action, epochMs)
    case 'turnEnd':
      return endTurn(session, action)
    case 'agentEnd':
      return endRun(session)
    case 'bashStart':
    case 'bashOutput':
    case 'bashEnd':
      return runBash(session, action, epochMs)
    case 'compactionStart':
    case 'compactionEnd':
      return compact(session, action, epochMs)
    case 'retryStart':
    case 'retryEnd':
      return retry(session, action)
    case 'queue':
      session.queue = action
      return [{type: 'session_action_update', actions: queueOf(session)}]
    case 'rename':
      session.name = action.name
      return [{type: 'session_info_changed', name: action.name}]
    case 'event':
      return [action.event]
    default:
      return assertNever(action)
  }
}

function prompt(session: DemoSession, {text}: Act<'prompt'>, epochMs: number): readonly JsonObject[] {
  const message = userMessage(text, epochMs)
  session.run = []
  keep(session, message)
  return [{type: 'agent_start'}, {type: 'turn_start'}, {type: 'message_start', message}, {type: 'message_end', message}]
}

function callTool(session: DemoSession, {call, tool, args}: Act<'callTool'>, epochMs: number): readonly JsonObject[] {
  const id = `tool:${epochMs}:${call}`
  session.tools = [...session.tools, {call, id, tool, args, result: undefined}]
  return answerOf(session).toolCall(id, tool, args)
}

function answered(session: DemoSession, {broke}: Act<'answered'>): readonly JsonObject[] {
  const answer = answerOf(session)
  // What broke off ends no block: the message alone says so.
  const ended = broke === undefined ? answer.close() : []
  const message = answer.finish(broke?.how ?? (session.tools.length > 0 ? 'toolUse' : 'stop'), broke?.error)
  session.answer = undefined
  session.answered = message
  keep(session, message)
  return [...ended, {type: 'message_end', message}]
}

function runTool(
  session: DemoSession,
  action: Act<'toolStart' | 'toolUpdate' | 'toolEnd'>,
  epochMs: number,
): readonly JsonObject[] {
  const run = session.tools.find(({call}) => call === action.call)
  if (run === undefined) throw new Error(`no tool call is named ${action.call}`)
  const {id: toolCallId, tool: toolName, args} = run
  if (action.kind === 'toolStart') return [{type: 'tool_execution_start', toolCallId, toolName, args}]
  if (action.kind === 'toolUpdate') {
    const partialResult = {content: [{type: 'text', text: action.text}], details: {}}
    return [{type: 'tool_execution_update', toolCallId, toolName, args, partialResult}]
  }
  const isError = action.isError ?? false
  const text = action.text.padEnd(action.chars ?? 0, '~')
  run.result = toolResultMessage({id: toolCallId, tool: toolName, text, isError}, epochMs)
  const end = {type: 'tool_execution_end', toolCallId, toolName, result: toolResult(text, !isError), isError}
  return [end, ...toldResults(session)]
}

/** The results become messages in the order of the calls, whatever the order of their ends. */
function toldResults(session: DemoSession): readonly JsonObject[] {
  const results = resultsOf(session.tools)
  if (results.length < session.tools.length) return []
  for (const message of results) keep(session, message)
  return results.flatMap((message) => [
    {type: 'message_start', message},
    {type: 'message_end', message},
  ])
}

function resultsOf(tools: readonly ToolRun[]): readonly JsonObject[] {
  return tools.flatMap(({result}) => (result === undefined ? [] : [result]))
}

function endTurn(session: DemoSession, {next}: Act<'turnEnd'>): readonly JsonObject[] {
  const {answered: message, tools} = session
  if (message === undefined) throw new Error('a turn ends with an answer')
  session.tools = []
  session.answered = undefined
  const end = {type: 'turn_end', message, toolResults: resultsOf(tools)}
  return next === true ? [end, {type: 'turn_start'}] : [end]
}

function endRun(session: DemoSession): readonly JsonObject[] {
  const messages = session.run ?? []
  session.run = undefined
  return [{type: 'agent_end', messages}]
}

function runBash(
  session: DemoSession,
  action: Act<'bashStart' | 'bashOutput' | 'bashEnd'>,
  epochMs: number,
): readonly JsonObject[] {
  if (action.kind === 'bashStart') {
    session.bash = {command: action.command, output: ''}
    return [{type: 'bash_start', command: action.command, excludeFromContext: false}]
  }
  const {command, output} = session.bash ?? {command: '', output: ''}
  if (action.kind === 'bashOutput') {
    session.bash = {command, output: output + action.chunk}
    return [{type: 'bash_output', chunk: action.chunk}]
  }
  session.bash = undefined
  session.messages = [...session.messages, bashMessage(command, output, action.exitCode, epochMs)]
  return [{type: 'bash_end', exitCode: action.exitCode, cancelled: false, truncated: false}]
}

function compact(
  session: DemoSession,
  action: Act<'compactionStart' | 'compactionEnd'>,
  epochMs: number,
): readonly JsonObject[] {
  if (action.kind === 'compactionStart') {
    session.compacting = action.reason
    return [{type: 'compaction_start', reason: action.reason}]
  }
  const reason = session.compacting ?? 'manual'
  session.compacting = undefined
  session.compactions += 1
  // A transcript is the context at hand, not the history: what was summed up is no longer in it.
  session.messages = [compactionMessage(action.summary, epochMs)]
  const result = {summary: action.summary, tokensBefore: 150_000}
  return [{type: 'compaction_end', reason, result, aborted: false, willRetry: false}]
}

function retry(session: DemoSession, action: Act<'retryStart' | 'retryEnd'>): readonly JsonObject[] {
  if (action.kind === 'retryStart') {
    const {attempt, error: errorMessage} = action
    session.retryAttempt = attempt
    return [{type: 'auto_retry_start', attempt, maxAttempts: 3, delayMs: 1_000 * 2 ** attempt, errorMessage}]
  }
  const attempt = session.retryAttempt
  session.retryAttempt = 0
  const {finalError} = action
  const success = finalError === undefined
  return [{type: 'auto_retry_end', success, attempt, ...(success ? {} : {finalError})}]
}

function keep(session: DemoSession, message: JsonObject): void {
  session.messages = [...session.messages, message]
  session.run = session.run === undefined ? undefined : [...session.run, message]
}

function answerOf({answer}: DemoSession) {
  if (answer === undefined) throw new Error('no answer is under way')
  return answer
}
