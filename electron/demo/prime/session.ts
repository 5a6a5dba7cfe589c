import type {JsonObject} from '../../../shared/base/json.ts'
import type {Answer} from './answer.ts'
import {durableId, type Ids} from './ids.ts'
import {MODEL, pastMessages} from './messages.ts'
import type {SessionSpec} from './scenario.ts'

export type WorkerState = 'ready' | 'recovering' | 'failed'

/** One tool call of the turn at hand. */
export interface ToolRun {
  readonly call: string
  readonly id: string
  readonly tool: string
  readonly args: JsonObject
  /** The message it became, once it has ended. */
  result: JsonObject | undefined
}

/** A session and the worker that runs it. */
export interface DemoSession {
  readonly spec: SessionSpec
  /** Names the binding to one worker. */
  activeId: string
  /** The durable identity: the same after the daemon's own end too. */
  sessionId: string
  /** What it was opened under: the identity is this name's. */
  openedAs: string
  /** Transcripts of the sessions that were replaced here, by what they were opened under. */
  readonly shelf: Map<string, readonly JsonObject[]>
  generation: string
  /** The last number that was taken. */
  sequence: number
  name: string
  readonly created: number
  modified: number
  messages: readonly JsonObject[]
  /** The messages of the run at hand, for its end. */
  run: readonly JsonObject[] | undefined
  answer: Answer | undefined
  /** The last complete answer of the turn at hand. */
  answered: JsonObject | undefined
  tools: readonly ToolRun[]
  bash: {readonly command: string; readonly output: string} | undefined
  compacting: string | undefined
  retryAttempt: number
  queue: {readonly steering: readonly string[]; readonly followUps: readonly string[]}
  recap: string | undefined
  compactions: number
  worker: WorkerState
  workerPid: number
  /** Its row as it was when the worker went. */
  frozen: JsonObject | undefined
  /** Attached clients that are not on the socket. */
  others: number
  /** The next snapshot is spoilt so. */
  spoil: 'failed' | 'duplicated' | 'unfinished' | 'missingChunk' | 'wrongCount' | undefined
}

export function createSession(spec: SessionSpec, ids: Ids, epochMs: number): DemoSession {
  return {
    spec,
    activeId: ids.short(),
    sessionId: identityOf(spec, spec.name),
    openedAs: spec.name,
    shelf: new Map(),
    generation: ids.short(),
    sequence: 0,
    name: spec.name,
    created: epochMs,
    modified: epochMs,
    messages: pastMessages(spec.transcript ?? 0, spec.transcriptText ?? 40, epochMs),
    run: undefined,
    answer: undefined,
    answered: undefined,
    tools: [],
    bash: undefined,
    compacting: undefined,
    retryAttempt: 0,
    queue: {steering: [], followUps: []},
    recap: undefined,
    compactions: 0,
    worker: 'ready',
    workerPid: ids.pid(),
    frozen: undefined,
    others: 0,
    spoil: undefined,
  }
}

/** Another session in the place of this one; one that was here before is found as it was left. */
export function switchTo(session: DemoSession, name: string): void {
  forgetRun(session)
  session.shelf.set(session.openedAs, session.messages)
  session.sessionId = identityOf(session.spec, name)
  session.openedAs = name
  session.name = name
  session.messages = session.shelf.get(name) ?? []
}

function identityOf({key}: SessionSpec, name: string): string {
  return durableId(`${key}/${name}`)
}

/** What a worker held in its memory is gone with it; the transcript is not. */
export function forgetRun(session: DemoSession): void {
  session.run = undefined
  session.answer = undefined
  session.answered = undefined
  session.tools = []
  session.bash = undefined
  session.compacting = undefined
  session.retryAttempt = 0
  session.queue = {steering: [], followUps: []}
}

export function cursorOf({generation, sequence}: DemoSession): JsonObject {
  return {generation, sequence}
}

export function queueOf({queue: {steering, followUps}}: DemoSession): JsonObject {
  return {queuedCount: steering.length + followUps.length, steering, followUps}
}

export function fileOf({sessionId}: DemoSession): string {
  return `${SESSION_DIR}/${sessionId}.jsonl`
}

const SESSION_DIR = '/home/dev/.prime/agent/sessions'

/** The row of a list, and what `get_state` answers: SessionSummary, its fields in the order of a real one. */
export function summaryOf(session: DemoSession, attachedClients: number): JsonObject {
  if (session.frozen !== undefined) return {...session.frozen, attachedClients, workerState: session.worker}
  const {spec, activeId, sessionId, name, messages, worker, workerPid, recap} = session
  const first = messages.find(({role}) => role === 'user')
  return {
    id: activeId,
    lifecycle: messages.length === 0 && session.run === undefined ? 'draft' : 'live',
    activity: 'working',
    isSessionActive: session.run !== undefined,
    lastActivityAt: iso(session.modified),
    runtimeKind: 'top-level',
    rlmDepth: 0,
    activeSessionId: activeId,
    sessionId,
    sessionFile: fileOf(session),
    sessionName: name,
    cwd: spec.cwd,
    model: MODEL,
    thinkingLevel: 'off',
    isStreaming: session.run !== undefined,
    isCompacting: session.compacting !== undefined,
    isBashRunning: session.bash !== undefined,
    hasRunningRlmChildren: false,
    isRunningTools: session.tools.some(({result}) => result === undefined),
    attachedClients,
    messageCount: messages.length,
    unfinishedActionCount: session.run === undefined ? 0 : 1,
    sessionActions: queueOf(session),
    ...(session.answer === undefined ? {} : {streamingMessage: session.answer.whole()}),
    created: iso(session.created),
    modified: iso(session.modified),
    ...(first === undefined ? {} : {firstMessage: textOfFirst(first)}),
    diagnostics: [],
    ...(recap === undefined ? {} : {summary: recap}),
    workerState: worker,
    workerPid,
  }
}

/** AgentConnectionState: what a snapshot says of the session. */
export function stateOf(session: DemoSession): JsonObject {
  const {spec, activeId, sessionId, name, messages} = session
  const tokens = Math.ceil(JSON.stringify(messages).length / 4)
  return {
    activeSessionId: activeId,
    cwd: spec.cwd,
    model: MODEL,
    thinkingLevel: 'off',
    serviceTier: 'default',
    availableThinkingLevels: ['off'],
    isStreaming: session.run !== undefined,
    isCompacting: session.compacting !== undefined,
    isBashRunning: session.bash !== undefined,
    retryAttempt: session.retryAttempt,
    steeringMode: 'one-at-a-time',
    followUpMode: 'one-at-a-time',
    sessionFile: fileOf(session),
    sessionId,
    sessionName: name,
    sessionDir: SESSION_DIR,
    leafId: sessionId.slice(0, 8),
    autoCompactionEnabled: true,
    messageCount: messages.length,
    sessionActions: queueOf(session),
    compactionCount: session.compactions,
    goal: {active: false, status: 'idle', tokensUsed: 0, timeUsedSeconds: 0, continuationsUsed: 0},
    scopedModels: [],
    activeToolNames: ['read_file', 'run_tests', 'tide_table'],
    contextUsage: {tokens, contextWindow: CONTEXT_WINDOW, percent: (tokens / CONTEXT_WINDOW) * 100},
    ...(session.recap === undefined ? {} : {recap: session.recap}),
    heartbeat: null,
  }
}

const CONTEXT_WINDOW = 200_000

function textOfFirst({content}: JsonObject): string {
  const block: unknown = Array.isArray(content) ? content[0] : undefined
  const text = typeof block === 'object' && block !== null && 'text' in block ? block.text : ''
  return typeof text === 'string' ? text.slice(0, 100) : ''
}

export function iso(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
