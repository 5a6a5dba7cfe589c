import type {PrimeScenario, PrimeStep} from './scenario.ts'
import {anyway, at, back, bash, LOOKUPS, MAIN, MAIN_SESSION, step, stream, toolRun, turn} from './script.ts'

const OTHER = 'docs'

/** The ordinary life of a session: it is asked, thinks, looks things up, and is written to meanwhile. */
const ORDINARY: readonly PrimeStep[] = [
  ...turn(600, MAIN, {
    ask: 'what should I know before the spring tide?',
    think: 'First the tide tables, then the wind.',
    say: 'High water is at noon, and the wind turns at three.',
  }),
  ...toolRun(900, MAIN, LOOKUPS, ['notes', 'tides', 'tests']),
  ...bash(800, MAIN),
  ...bash(200, OTHER),
  step(500, {kind: 'queue', on: MAIN, steering: ['only the north harbour'], followUps: ['then write it down']}),
  step(900, {kind: 'queue', on: MAIN, steering: [], followUps: []}),
  step(600, {kind: 'retryStart', on: MAIN, attempt: 1, error: 'overloaded'}),
  step(1_500, {kind: 'retryEnd', on: MAIN}),
  step(600, {kind: 'compactionStart', on: MAIN, reason: 'threshold'}),
  step(1_200, {
    kind: 'compactionEnd',
    on: MAIN,
    summary: 'Spring tide on the fourth; the north harbour is asked about.',
  }),
]

/** What takes numbers that a watcher does not see: a question for somebody else, and a socket that was full. */
const UNSEEN: readonly PrimeStep[] = [
  step(900, {kind: 'askUser', on: MAIN, title: 'Write the table to disk?'}),
  step(600, {kind: 'status', on: MAIN, recap: 'reading tide tables'}),
  step(400, {kind: 'drop', on: MAIN, events: 5}),
  ...bash(100, MAIN),
  step(300, {kind: 'rename', on: MAIN, name: 'tide tables, north'}),
  step(900, {kind: 'others', on: MAIN, count: 1}),
]

/** What ends things: a worker that goes without a word, a session in another's place, a new supervisor. */
const ENDINGS: readonly PrimeStep[] = [
  step(600, {kind: 'prompt', on: MAIN, text: 'and the south harbour?'}),
  step(150, {kind: 'answer', on: MAIN}),
  ...stream(MAIN, 'text', 'The south harbour falls dry at'),
  step(400, {kind: 'crash', on: MAIN}),
  anyway(7_000, {kind: 'reopen', on: MAIN}),
  ...turn(1_500, MAIN, {
    ask: 'are you back?',
    think: 'The worker was replaced.',
    say: 'I am, under another number.',
  }).map((one, n) => (n === 0 ? back(one.afterMs, one.do) : one)),
  step(1_200, {kind: 'replace', on: MAIN, name: 'storm log'}),
  ...turn(1_000, MAIN, {ask: 'start a storm log', think: 'A new page.', say: 'Started.'}),
  ...turn(400, OTHER, {ask: 'build the pages', think: 'Nothing changed.', say: 'All pages are up to date.'}),
  step(1_200, {kind: 'supervisor', end: 'update', downMs: 1_500, helloMs: 800}),
  back(1_000, {kind: 'rename', on: MAIN, name: 'storm log, first watch'}),
  ...at(MAIN, 500, [{kind: 'prompt', text: 'note the swell'}, {kind: 'answer'}]),
  ...stream(MAIN, 'text', 'Swell from the north-west, three metres.'),
  ...at(MAIN, 100, [
    {kind: 'answered', broke: {how: 'aborted', error: 'Request was aborted'}},
    {kind: 'turnEnd'},
    {kind: 'agentEnd'},
  ]),
]

/** Back to the session of the beginning, so that every lap looks like the first. */
const AGAIN: readonly PrimeStep[] = [
  step(1_500, {kind: 'others', on: MAIN, count: 0}),
  step(500, {kind: 'replace', on: MAIN, name: 'tide tables'}),
]

/** The product's demo of this wire: everything that can happen to a watched session within a minute, and then over and over. */
export const primeTour: PrimeScenario = {
  name: 'tour',
  about: 'the product demo: everything that can happen to a watched session, in a minute, over and over',
  sessions: [
    MAIN_SESSION,
    {key: OTHER, name: 'docs build', cwd: '/home/dev/docs', transcript: 2},
    {key: 'hidden', name: 'print run', cwd: '/home/dev/project', owned: true},
  ],
  steps: [...ORDINARY, ...UNSEEN, ...ENDINGS, ...AGAIN],
  loopFrom: 0,
}
