import {faultScenarios} from './fault-scenarios.ts'
import type {PrimeScenario, SessionSpec} from './scenario.ts'
import {anyway, at, back, bash, LOOKUPS, MAIN, MAIN_SESSION, step, stream, toolRun, turn} from './script.ts'
import {primeTour} from './tour-scenario.ts'

const ONE: readonly SessionSpec[] = [MAIN_SESSION]

const HELLO_THERE = {ask: 'are you there?', think: 'A short question.', say: 'I am here, and so is the tide.'}

/** What one session does while all is well. */
const ordinary: readonly PrimeScenario[] = [
  {name: 'still', about: 'one session, and nothing happens by itself', sessions: ONE, steps: []},
  {name: 'empty', about: 'a daemon without sessions', sessions: [], steps: []},
  {
    name: 'turn',
    about: 'one answer, streamed: thinking, text, end',
    sessions: ONE,
    steps: turn(300, MAIN, HELLO_THERE),
  },
  {
    name: 'tool',
    about: 'a turn with one tool',
    sessions: ONE,
    steps: toolRun(300, MAIN, LOOKUPS.slice(0, 1), ['tides']),
  },
  {
    name: 'parallel-tools',
    about: 'three tools at once, which end out of order',
    sessions: ONE,
    steps: toolRun(300, MAIN, LOOKUPS, ['tests', 'tides', 'notes']),
  },
  {name: 'bash', about: 'a command of the user’s shell', sessions: ONE, steps: bash(300, MAIN)},
  {
    name: 'compaction',
    about: 'the transcript becomes a summary',
    sessions: ONE,
    steps: at(MAIN, 500, [
      {kind: 'compactionStart', reason: 'threshold'},
      {kind: 'compactionEnd', summary: 'Spring tide on the fourth.'},
    ]),
  },
  {
    name: 'retry',
    about: 'the model is overloaded twice, then answers',
    sessions: ONE,
    steps: [
      ...at(MAIN, 400, [
        {kind: 'retryStart', attempt: 1, error: 'overloaded'},
        {kind: 'retryStart', attempt: 2, error: 'overloaded'},
        {kind: 'retryEnd'},
      ]),
      ...turn(300, MAIN, HELLO_THERE),
    ],
  },
  {
    name: 'queue',
    about: 'things are said to a session while it works',
    sessions: ONE,
    steps: at(MAIN, 400, [
      {kind: 'queue', steering: ['only the north harbour'], followUps: []},
      {kind: 'queue', steering: ['only the north harbour'], followUps: ['then write it down']},
      {kind: 'queue', steering: [], followUps: []},
    ]),
  },
  {
    name: 'aborted',
    about: 'an answer breaks off, and the next one fails',
    sessions: ONE,
    steps: (['aborted', 'error'] as const).flatMap((how) => [
      step(300, {kind: 'prompt', on: MAIN, text: 'tell me everything'}),
      step(100, {kind: 'answer', on: MAIN}),
      ...stream(MAIN, 'text', 'In the beginning there was'),
      ...at(MAIN, 60, [
        {kind: 'answered', broke: {how, error: `the request was ${how}`}},
        {kind: 'turnEnd'},
        {kind: 'agentEnd'},
      ]),
    ]),
  },
  {
    name: 'two-sessions',
    about: 'two sessions that answer at the same time, one of them long; a third has an owner',
    sessions: [
      MAIN_SESSION,
      {key: 'docs', name: 'docs build', cwd: '/home/dev/docs', transcript: 2_000, transcriptText: 1_000},
      {key: 'hidden', name: 'print run', cwd: '/home/dev/project', owned: true},
    ],
    steps: [
      step(200, {kind: 'prompt', on: 'hidden', text: 'nobody hears this'}),
      step(200, {kind: 'prompt', on: 'docs', text: 'build'}),
      step(100, {kind: 'answer', on: 'docs'}),
      ...turn(100, MAIN, HELLO_THERE).flatMap((one, n) => [
        one,
        step(30, {kind: 'delta', on: 'docs', block: 'text', text: `page ${n} `}),
      ]),
    ],
  },
  {
    name: 'two-clients',
    about: 'another client is attached to the session, and leaves',
    sessions: ONE,
    steps: [
      step(300, {kind: 'others', on: MAIN, count: 1}),
      ...turn(200, MAIN, HELLO_THERE),
      step(300, {kind: 'others', on: MAIN, count: 0}),
      ...bash(300, MAIN),
    ],
  },
]

/** What happens to sessions, workers and the daemon itself. */
const eventful: readonly PrimeScenario[] = [
  {
    name: 'crash',
    about: 'the worker is gone in the middle of an answer, and nobody says so',
    sessions: ONE,
    steps: [
      step(300, {kind: 'prompt', on: MAIN, text: 'count the waves'}),
      step(100, {kind: 'answer', on: MAIN}),
      ...stream(MAIN, 'text', 'one two three four five six'),
      step(50, {kind: 'crash', on: MAIN}),
    ],
  },
  {
    name: 'reopen',
    about: 'the worker is gone, and 2 s later another has the session under a new id and generation',
    sessions: ONE,
    steps: [
      ...turn(300, MAIN, HELLO_THERE),
      step(100, {kind: 'prompt', on: MAIN, text: 'count the waves'}),
      step(200, {kind: 'crash', on: MAIN}),
      anyway(2_000, {kind: 'reopen', on: MAIN}),
      back(300, {kind: 'rename', on: MAIN, name: 'tide tables, again'}),
      ...turn(200, MAIN, HELLO_THERE),
    ],
  },
  {
    name: 'replace',
    about: 'another session takes the place, the id and the numbers of this one',
    sessions: ONE,
    steps: [
      ...bash(300, MAIN),
      step(400, {kind: 'replace', on: MAIN, name: 'storm log'}),
      ...turn(400, MAIN, HELLO_THERE),
    ],
  },
  {
    name: 'big-line',
    about: 'a tool result of 2 MiB fills the socket, and what follows it is lost: a resync',
    sessions: ONE,
    steps: [
      step(300, {kind: 'prompt', on: MAIN, text: 'read it all'}),
      step(100, {kind: 'answer', on: MAIN}),
      ...at(MAIN, 60, [
        {kind: 'callTool', call: 'all', tool: 'read_file', args: {path: 'all.csv'}},
        {kind: 'answered'},
        {kind: 'toolStart', call: 'all'},
        {kind: 'toolEnd', call: 'all', text: 'height;time', chars: 2 * 1024 * 1024},
        {kind: 'turnEnd'},
        {kind: 'agentEnd'},
      ]),
    ],
  },
  {
    name: 'resync',
    about: 'four events are left out, and then there is a snapshot',
    sessions: ONE,
    steps: [...bash(200, MAIN), step(200, {kind: 'drop', on: MAIN, events: 4}), ...turn(200, MAIN, HELLO_THERE)],
  },
  {
    name: 'hole',
    about: 'numbers that went to a client with dialogs',
    sessions: ONE,
    steps: [...bash(200, MAIN), step(200, {kind: 'askUser', on: MAIN, title: 'Proceed?'}), ...bash(200, MAIN)],
  },
  {
    name: 'closed',
    about: 'the session is closed, and opened again 2 s later',
    sessions: ONE,
    steps: [
      ...bash(200, MAIN),
      step(400, {kind: 'close', on: MAIN, reason: 'completed'}),
      anyway(2_000, {kind: 'reopen', on: MAIN}),
      back(300, {kind: 'rename', on: MAIN, name: 'tide tables, again'}),
    ],
  },
  {
    name: 'opened-later',
    about: 'no session at first; one is opened after 2 s',
    sessions: [],
    steps: [anyway(2_000, {kind: 'open', session: MAIN_SESSION}), ...turn(500, MAIN, HELLO_THERE)],
  },
  {
    name: 'supervisor-update',
    about: 'a new supervisor after a goodbye; the session goes on, and acts while nobody is there',
    sessions: ONE,
    steps: [
      ...bash(200, MAIN),
      step(300, {kind: 'supervisor', end: 'update', downMs: 1_500, helloMs: 1_250}),
      anyway(300, {kind: 'rename', on: MAIN, name: 'nobody saw this'}),
      back(300, {kind: 'rename', on: MAIN, name: 'tide tables'}),
      ...bash(200, MAIN),
    ],
  },
  {
    name: 'supervisor-killed',
    about: 'a new supervisor without a goodbye, and a stale socket in between',
    sessions: ONE,
    steps: [
      ...bash(200, MAIN),
      step(300, {kind: 'supervisor', end: 'killed', downMs: 3_000, helloMs: 0}),
      back(300, {kind: 'rename', on: MAIN, name: 'tide tables, again'}),
    ],
  },
  {
    name: 'shutdown',
    about: 'a shutdown: closing, killed, the end; it is back after 4 s with new workers',
    sessions: ONE,
    steps: [
      ...bash(200, MAIN),
      step(300, {kind: 'shutdown', downMs: 4_000}),
      back(300, {kind: 'rename', on: MAIN, name: 'tide tables, again'}),
    ],
  },
  {
    name: 'late-hello',
    about: 'the hello comes 1.2 s after the connection, behind another line',
    sessions: ONE,
    hello: {delayMs: 1_200, heartbeatsFirst: true},
    steps: bash(300, MAIN),
  },
  {
    name: 'version-8',
    about: 'a daemon of another protocol version',
    sessions: ONE,
    hello: {version: 8},
    steps: [anyway(2_000, {kind: 'heartbeats'})],
  },
  {
    name: 'big-transcript',
    about: 'a snapshot of 8 MiB in chunks',
    sessions: [{...MAIN_SESSION, transcript: 4_000, transcriptText: 2_000}],
    steps: bash(500, MAIN),
  },
]

/** The product's own first. */
export const primeScenarios: readonly PrimeScenario[] = [primeTour, ...ordinary, ...eventful, ...faultScenarios]

export function findPrimeScenario(name: string): PrimeScenario | undefined {
  return primeScenarios.find((one) => one.name === name)
}
