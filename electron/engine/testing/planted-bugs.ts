import type {PlantedBug} from './planted-bug.ts'
import {HANDLER_BUGS} from './planted-handler-bugs.ts'
import {NUMBERED_BUGS} from './planted-numbered-bugs.ts'
import {SESSION_BUGS} from './planted-session-bugs.ts'

const ACKNOWLEDGE = 'electron/engine/acknowledge.ts'
const REDELIVER = 'electron/engine/switch/redeliver-leftovers.ts'
const HANDLE = 'electron/engine/switch/handle-switch-frames.ts'
const WATCH = 'electron/engine/switch/watch-once.ts'
const LOAD = 'electron/engine/load-run.ts'
const POSITION = 'shared/position/position.ts'
const DATABASE = 'electron/engine/store/database.ts'
const GUARD = 'electron/engine/handlers/guard.ts'
const DECISION = 'electron/engine/users-word.ts'
const CONTROLLER = 'electron/engine/source-controller.ts'

const STREAM_BUGS: readonly PlantedBug[] = [
  {
    name: 'the cursor moves before the callback',
    patches: [
      {
        file: ACKNOWLEDGE,
        find: '  const {end, ...facts} = await runCallback(',
        replace: `  const early: Attempt = {...begun, endedAt: deps.clock.now(), state: 'resolved'}
  const error = await refusal(deps, endChanges(delivery, settlement, early, HANDLED))
  const {end, ...facts} = await runCallback(`,
      },
      {
        file: ACKNOWLEDGE,
        find: '  const error = await refusal(deps, endChanges(delivery, settlement, ended, end))\n',
        replace: '',
      },
    ],
  },
  {
    name: 'a rejected callback counts as handled',
    patches: [
      {
        file: ACKNOWLEDGE,
        find: '(cause: unknown) => failureOf(cause, signal),',
        replace: `(cause: unknown) => (signal.aborted ? ABORTED : {end: HANDLED, state: 'resolved'}),`,
      },
    ],
  },
  {
    name: 'the cursor moves without the journal, of a source without callbacks',
    patches: [
      {
        file: ACKNOWLEDGE,
        find: 'else changes.push(...journalEntry(delivery, settlement, outcome))',
        replace: `else if (outcome !== 'handled') changes.push(...journalEntry(delivery, settlement, outcome))`,
      },
    ],
  },
  {
    name: 'the cursor moves without the journal, of a source with callbacks',
    patches: [
      {
        file: ACKNOWLEDGE,
        find: '  if (!delivery.fromJournal) changes.push(',
        replace: '  if (false) changes.push(',
      },
    ],
  },
  {
    name: 'a gap merges',
    wire: 'switch',
    patches: [
      {
        file: POSITION,
        find: 'return [...changed(held, update.resumed), ...removed(held, update.resumed)]',
        replace: 'return forward(held, update.resumed)',
      },
    ],
  },
  {
    name: 'a gap leaves coordinates standing that it does not name',
    patches: [
      {
        file: POSITION,
        find: 'return [...changed(held, update.resumed), ...removed(held, update.resumed)]',
        replace: 'return changed(held, update.resumed)',
      },
    ],
  },
  {
    name: 'a gap is applied before its callback',
    patches: [
      {
        file: ACKNOWLEDGE,
        find: `changes.push(...gapOf(delivery, settlement, 'pending'), {kind: 'attemptStarted', attempt: begun})`,
        replace: `changes.push(...gapOf(delivery, settlement, 'pending'), {kind: 'attemptStarted', attempt: begun})
  if (settlement.gap !== undefined) changes.push(...movedBy(frame, settlement, begun.startedAt))`,
      },
      {
        file: ACKNOWLEDGE,
        find: 'changes.push(...movedBy(delivery.journaled, settlement, at), ',
        replace:
          'if (settlement.gap === undefined) changes.push(...movedBy(delivery.journaled, settlement, at))\nchanges.push(',
      },
    ],
  },
  {
    name: 'the position is kept in memory only',
    patches: [{file: ACKNOWLEDGE, find: '...movedBy(delivery.journaled, settlement, at), ', replace: ''}],
  },
  {
    name: 'the position is shown before it is durable',
    patches: [
      {
        file: ACKNOWLEDGE,
        find: 'const draft = new Map<CoordinateKey, Sequence>(held.position)',
        replace: 'const draft = held.position as Map<CoordinateKey, Sequence>',
      },
    ],
  },
  {
    name: 'that a vector was seen is lost at a restart',
    wire: 'switch',
    patches: [{file: LOAD, find: 'held: heldBy(stored),', replace: 'held: heldBy({...stored, vectorSeen: false}),'}],
  },
  {
    name: 'a bare number moves a position that vectors keep',
    wire: 'switch',
    patches: [
      {
        file: POSITION,
        find: `return vectorSeen ? [] : forward(held, new Map([[OWN, update.own]]))`,
        replace: 'return forward(held, new Map([[OWN, update.own]]))',
      },
    ],
  },
  {
    name: 'a beat reports what was received, not what is acknowledged',
    wire: 'switch',
    patches: [
      {
        file: WATCH,
        find: 'own: () => ceiling.limit(ownOfStream(run)),',
        replace: 'own: () => (run.held.position.get(OWN) ?? 0) + run.inHand,',
      },
    ],
  },
  {
    name: 'a frame from the journal is called the first attempt again',
    wire: 'switch',
    patches: [{file: REDELIVER, find: 'attempt: leftover.attempts + 1,', replace: 'attempt: 1,'}],
  },
  {
    name: 'what waits is passed by the next frame',
    wire: 'switch',
    patches: [
      {
        file: HANDLE,
        find: `if (waiting === undefined || judged.frame.kind === 'control')`,
        replace: 'if (waiting === undefined || waiting.identity !== identity)',
      },
    ],
  },
  {
    name: 'what waits is forgotten at a restart',
    patches: [
      {
        file: LOAD,
        find: 'leftovers: stored.unhandled.flatMap((frame) => leftoverOf(stored.record, frame)),',
        replace: 'leftovers: [],',
      },
    ],
  },
  {
    name: 'what the disk did not record counts as handled',
    wire: 'switch',
    patches: [
      {
        file: REDELIVER,
        find: `    case 'notSettled': {
`,
        replace: `    case 'notSettled': {
      run.leftovers = others
      return undefined
`,
      },
    ],
  },
  {
    name: 'a malformed frame is stepped over',
    wire: 'switch',
    patches: [{file: HANDLE, find: 'if (run.passOver.has(identity)) return undefined', replace: 'return undefined'}],
  },
  {
    name: 'a skip that is clicked twice is written twice',
    patches: [{file: DECISION, find: 'making ??= write()', replace: 'making = write()'}],
  },
  {
    name: 'what came from now on is lost with the stream that brought it',
    wire: 'switch',
    patches: [{file: WATCH, find: `(run.beganAt ?? 'head')`, replace: `'head'`}],
  },
  {
    name: 'what is under way when the engine closes starts a source again',
    wire: 'switch',
    patches: [{file: CONTROLLER, find: '    if (closed) return\n', replace: ''}],
  },
  {
    name: 'a click about one held frame lets the next one go too',
    wire: 'switch',
    patches: [{file: CONTROLLER, find: 'if (run.state === seen && stops === before) start()', replace: 'start()'}],
  },
]

/** Those that the simulation must find. */
export const PLANTED_BUGS: readonly PlantedBug[] = [...STREAM_BUGS, ...HANDLER_BUGS, ...SESSION_BUGS, ...NUMBERED_BUGS]

/** Of what no simulated world has: the disk's own syncs, and processes. A check of the connection finds the one, a death the other. */
const UNSEEN_BUGS: readonly PlantedBug[] = [
  {
    name: 'a file is opened again without a sync for every commit',
    patches: [
      {file: DATABASE, find: '    PRAGMA synchronous = FULL;\n', replace: '    PRAGMA synchronous = NORMAL;\n'},
    ],
  },
  {
    name: 'nobody sees to it that a command ends with its Tidemark',
    patches: [
      {
        file: GUARD,
        find: 'if (watchdog === undefined) watchdog = startWatchdog()',
        replace: 'if (watchdog === undefined) return',
      },
    ],
  },
]

export const ALL_BUGS: readonly PlantedBug[] = [...PLANTED_BUGS, ...UNSEEN_BUGS]
