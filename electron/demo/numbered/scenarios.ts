import {BAD_MESSAGES, type NumberedAction, type NumberedScenario, type NumberedStep} from './scenario.ts'

/** Shorthand for scenarios. Gates count readers. */
function step(afterMs: number, action: NumberedAction, when?: NumberedStep['when']): NumberedStep {
  return {afterMs, do: action, ...(when === undefined ? {} : {when})}
}

function note(text: string): NumberedAction {
  return {kind: 'event', event: {kind: 'note', text}}
}

const snapshot = (reason: string): NumberedAction => ({kind: 'snapshot', reason})

/** Three generations, with a few events in each. */
const RISE: readonly NumberedStep[] = [
  step(300, note('flood begins')),
  step(400, note('half tide')),
  step(400, snapshot('tool call: read_gauge')),
  step(300, note('gauge reads 2.1 m')),
  step(300, note('gauge reads 2.4 m')),
  step(400, snapshot('checkpoint')),
  step(300, note('high water')),
  step(500, note('ebb begins')),
]

/** Slow enough to read along. */
const GAUGE: readonly NumberedStep[] = [
  ...['flood begins', 'gauge reads 1.2 m', 'half tide', 'gauge reads 2.4 m'].map((text) => step(1_400, note(text))),
  step(1_400, snapshot('tool call: read_gauge')),
  ...['gauge reads 3.0 m', 'high water', 'ebb begins'].map((text) => step(1_400, note(text))),
  step(1_400, snapshot('checkpoint')),
  ...['gauge reads 2.2 m', 'half tide', 'low water'].map((text) => step(1_400, note(text))),
]

export const numberedScenarios: readonly NumberedScenario[] = [
  {
    name: 'tour',
    about: 'snapshots, events, a restart with the store and one without, over and over',
    steps: [
      ...RISE,
      step(1_500, {kind: 'restart', store: 'kept'}),
      step(800, note('after the restart, on the same numbers'), 'reopened'),
      step(800, snapshot('checkpoint')),
      step(600, note('calm')),
      step(1_500, {kind: 'restart', store: 'lost'}),
      step(1_500, note('counted anew'), 'reopened'),
    ],
    loopFrom: 0,
  },
  {
    name: 'gauge',
    about: 'a tide that rises and falls, over and over; its server restarts only when it is told to',
    steps: GAUGE,
    loopFrom: 0,
  },
  {name: 'still', about: 'one snapshot, and nothing happens by itself', steps: []},
  {name: 'rise', about: 'three generations, with a few events in each', steps: RISE},
  {
    name: 'restart',
    about: 'a restart with its store: the numbers go on',
    steps: [
      ...RISE,
      step(500, {kind: 'restart', store: 'kept'}),
      step(300, note('nobody was there'), 'always'),
      step(500, note('after the restart'), 'reopened'),
    ],
  },
  {
    name: 'lost-store',
    about: 'a restart without its store: the numbers begin anew, below',
    steps: [
      ...RISE,
      step(500, {kind: 'restart', store: 'lost'}),
      step(300, note('counted anew'), 'always'),
      step(500, note('and on'), 'reopened'),
    ],
  },
  {
    name: 'holes',
    about: 'numbers and generations that never come',
    steps: [
      ...RISE,
      step(300, {kind: 'skip', events: 3}),
      step(200, note('behind three')),
      step(300, {kind: 'skipGenerations', count: 2}),
      step(200, snapshot('behind two')),
      step(300, {kind: 'skip', events: 2}),
      step(200, note('behind two more')),
    ],
  },
  {
    name: 'burst',
    about: '5,000 events at once',
    steps: [step(300, {kind: 'burst', count: 5_000, event: {kind: 'wave'}})],
  },
  {
    name: 'bad-messages',
    about: 'every kind of bad message, between good ones',
    steps: [
      ...RISE,
      ...BAD_MESSAGES.flatMap((what) => [step(200, {kind: 'bad', what}), step(100, note(`after: ${what}`))]),
    ],
  },
  {
    name: 'cut',
    about: 'a message ends in the middle, and the connection with it',
    steps: [
      ...RISE,
      step(200, {kind: 'cut', atByte: 30}),
      step(200, note('the whole of which nobody gets at first')),
      step(300, note('and on'), 'reopened'),
    ],
  },
]

export function findNumberedScenario(name: string): NumberedScenario | undefined {
  return numberedScenarios.find((one) => one.name === name)
}
