import type {JsonObject} from '../../../shared/base/json.ts'
import type {Gate} from '../scenario.ts'
import type {AgentAction, PrimeAction, PrimeStep, SessionSpec} from './scenario.ts'

/** The session that most scenarios are about. */
export const MAIN = 'main'

export const MAIN_SESSION: SessionSpec = {
  key: MAIN,
  name: 'tide tables',
  cwd: '/home/dev/project',
  transcript: 4,
}

/** Shorthand for scenarios. */
export function step(afterMs: number, action: PrimeAction, when?: Gate): PrimeStep {
  return {afterMs, do: action, ...(when === undefined ? {} : {when})}
}

/** Whatever clients do. */
export function anyway(afterMs: number, action: PrimeAction): PrimeStep {
  return step(afterMs, action, 'always')
}

/** Once a client has come back, or 20 s later. */
export function back(afterMs: number, action: PrimeAction): PrimeStep {
  return step(afterMs, action, 'reopened')
}

/** Text of one block, a few words at a time. */
export function stream(on: string, block: 'text' | 'thinking', text: string, everyMs = 120): readonly PrimeStep[] {
  const pieces = text.match(/\S+\s*(?:\S+\s*)?/g) ?? []
  return pieces.map((piece) => step(everyMs, {kind: 'delta', on, block, text: piece}))
}

/** A whole run of one turn: question, thoughts, answer. */
export function turn(
  afterMs: number,
  on: string,
  said: {readonly ask: string; readonly think: string; readonly say: string},
): readonly PrimeStep[] {
  return [
    step(afterMs, {kind: 'prompt', on, text: said.ask}),
    step(150, {kind: 'answer', on}),
    ...stream(on, 'thinking', said.think),
    ...stream(on, 'text', said.say),
    ...at(on, 100, [{kind: 'answered'}, {kind: 'turnEnd'}, {kind: 'agentEnd'}]),
  ]
}

/** An action without its session. */
type Bare<A> = A extends {readonly on: string} ? Omit<A, 'on'> : never

/** Several things in one session, each so long after the one before. */
export function at(on: string, everyMs: number, actions: readonly Bare<AgentAction>[]): readonly PrimeStep[] {
  // Only the session is added, which every action of an agent has.
  return actions.map((action) => step(everyMs, {...action, on} as AgentAction))
}

/** A run whose model calls tools at once; their results come in the order of `ends`. */
export function toolRun(
  afterMs: number,
  on: string,
  calls: readonly {readonly call: string; readonly tool: string; readonly args: JsonObject}[],
  ends: readonly string[],
): readonly PrimeStep[] {
  return [
    step(afterMs, {kind: 'prompt', on, text: 'when is the next spring tide?'}),
    step(150, {kind: 'answer', on}),
    ...stream(on, 'thinking', 'I should look this up.'),
    ...stream(on, 'text', 'Looking it up.'),
    ...at(on, 120, [...calls.map((one) => ({kind: 'callTool' as const, ...one})), {kind: 'answered'}]),
    ...at(
      on,
      40,
      calls.map(({call}) => ({kind: 'toolStart', call})),
    ),
    ...at(
      on,
      200,
      calls.map(({call}) => ({kind: 'toolUpdate', call, text: 'step 1/2'})),
    ),
    ...at(
      on,
      300,
      ends.map((call) => ({kind: 'toolEnd', call, text: `result of ${call}`})),
    ),
    ...at(on, 40, [{kind: 'turnEnd', next: true}, {kind: 'answer'}]),
    ...stream(on, 'text', 'The next spring tide is on the fourth.'),
    ...at(on, 60, [{kind: 'answered'}, {kind: 'turnEnd'}, {kind: 'agentEnd'}]),
  ]
}

export const LOOKUPS = [
  {call: 'tides', tool: 'tide_table', args: {harbour: 'north', days: 14}},
  {call: 'notes', tool: 'read_file', args: {path: 'notes/harbour.md'}},
  {call: 'tests', tool: 'run_tests', args: {only: 'spring'}},
] as const

/** A whole command of the user's shell. */
export function bash(afterMs: number, on: string): readonly PrimeStep[] {
  return [
    step(afterMs, {kind: 'bashStart', on, command: 'ls -1 charts'}),
    ...at(on, 200, [
      {kind: 'bashOutput', chunk: 'north.csv\n'},
      {kind: 'bashOutput', chunk: 'south.csv\n'},
      {kind: 'bashEnd', exitCode: 0},
    ]),
  ]
}
