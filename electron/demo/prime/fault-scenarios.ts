import {BAD_LINES, type PrimeScenario, type SnapshotFault} from './scenario.ts'
import {back, bash, MAIN, MAIN_SESSION, step} from './script.ts'

const SNAPSHOT_FAULTS: readonly SnapshotFault[] = ['failed', 'duplicated', 'unfinished', 'missingChunk', 'wrongCount']

const MIB = 1024 * 1024

/** What no daemon should do, and a watcher must outlive. */
export const faultScenarios: readonly PrimeScenario[] = [
  {
    name: 'bad-lines',
    about: 'every kind of bad line, between good ones',
    sessions: [MAIN_SESSION],
    steps: [...BAD_LINES.flatMap((what) => [step(150, {kind: 'badLine', on: MAIN, what}), ...bash(50, MAIN)])],
  },
  {
    name: 'huge-line',
    about: 'an event of 64 MiB, one of 70 MiB, and what follows',
    sessions: [MAIN_SESSION],
    steps: [
      step(300, {kind: 'hugeLine', on: MAIN, bytes: 64 * MIB - 1_024}),
      ...bash(2_000, MAIN),
      step(500, {kind: 'hugeLine', on: MAIN, bytes: 70 * MIB}),
      ...bash(2_000, MAIN),
    ],
  },
  {
    name: 'cut',
    about: 'a line ends in the middle, and the connection with it',
    sessions: [MAIN_SESSION],
    steps: [
      ...bash(200, MAIN),
      step(200, {kind: 'cut', atByte: 57}),
      ...bash(200, MAIN),
      back(300, {kind: 'rename', on: MAIN, name: 'tide tables, again'}),
    ],
  },
  {
    name: 'hang-up',
    about: 'every connection ends, without a word',
    sessions: [MAIN_SESSION],
    steps: [
      ...bash(200, MAIN),
      step(300, {kind: 'hangUp'}),
      back(300, {kind: 'rename', on: MAIN, name: 'tide tables, again'}),
    ],
  },
  ...SNAPSHOT_FAULTS.map(
    (how): PrimeScenario => ({
      name: `snapshot-${how.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      about: `a resync whose snapshot is spoilt: ${how}`,
      sessions: [MAIN_SESSION],
      steps: [
        ...bash(200, MAIN),
        step(200, {kind: 'spoilSnapshot', on: MAIN, how}),
        step(100, {kind: 'drop', on: MAIN, events: 3}),
        ...bash(200, MAIN),
        ...bash(300, MAIN),
      ],
    }),
  ),
]
