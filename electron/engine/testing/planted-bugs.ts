/** One text in one file of the product, and what stands there instead. */
export interface Patch {
  /** From the project's root. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A fault that a proof must find: changes to the shipped source, as somebody might make them. */
export interface PlantedBug {
  readonly name: string
  readonly patches: readonly Patch[]
}

const ACKNOWLEDGE = 'electron/engine/acknowledge.ts'
const REDELIVER = 'electron/engine/switch/redeliver-leftovers.ts'
const HANDLE = 'electron/engine/switch/handle-switch-frames.ts'
const WATCH = 'electron/engine/switch/watch-once.ts'
const LOAD = 'electron/engine/load-run.ts'
const POSITION = 'shared/position/position.ts'
const DATABASE = 'electron/engine/store/database.ts'
const GUARD = 'electron/engine/handlers/guard.ts'
const SKIP = 'electron/engine/skip-frame.ts'
const CONTROLLER = 'electron/engine/source-controller.ts'
const JOURNAL = 'electron/engine/cursor-source/journal.ts'
const BACKLOG = 'electron/engine/cursor-source/handle-backlog.ts'
const FACTS = 'electron/engine/changes-of-frame.ts'
const HANDLERS = 'electron/engine/handlers/handler-callbacks.ts'

/** Those that the simulation must find. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
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
    patches: [{file: LOAD, find: 'held: heldBy(stored),', replace: 'held: heldBy({...stored, vectorSeen: false}),'}],
  },
  {
    name: 'a bare number moves a position that vectors keep',
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
    patches: [{file: REDELIVER, find: 'attempt: leftover.attempts + 1,', replace: 'attempt: 1,'}],
  },
  {
    name: 'what waits is passed by the next frame',
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
    patches: [
      {
        file: REDELIVER,
        find: `    case 'notSettled':
`,
        replace: `    case 'notSettled':
      run.leftovers = others
      return undefined
`,
      },
    ],
  },
  {
    name: 'a malformed frame is stepped over',
    patches: [{file: HANDLE, find: 'if (run.passOver.has(identity)) return undefined', replace: 'return undefined'}],
  },
  {
    name: 'a skip that is clicked twice is written twice',
    patches: [{file: SKIP, find: 'skipping ??= skipHeldFrame', replace: 'skipping = skipHeldFrame'}],
  },
  {
    name: 'what came from now on is lost with the stream that brought it',
    patches: [{file: WATCH, find: `(run.beganAt ?? 'head')`, replace: `'head'`}],
  },
  {
    name: 'what is under way when the engine closes starts a source again',
    patches: [{file: CONTROLLER, find: '    if (closed) return\n', replace: ''}],
  },
  {
    name: 'a click about one held frame lets the next one go too',
    patches: [{file: CONTROLLER, find: 'if (run.state === seen && stops === before) start()', replace: 'start()'}],
  },
  {
    name: 'the last of several handlers is left out',
    patches: [
      {
        file: HANDLERS,
        find: 'runInOrder(chosen,',
        replace: 'runInOrder(chosen.slice(0, Math.max(1, chosen.length - 1)),',
      },
    ],
  },
  {
    name: 'a handler that failed counts as done',
    patches: [
      {
        file: HANDLERS,
        find: `if (done.state === 'resolved') continue`,
        replace: `if (done.state !== 'aborted') continue`,
      },
    ],
  },
  {
    name: 'the handlers of a frame run at the same time',
    patches: [
      {
        file: HANDLERS,
        find: '  const runs: HandlerRun[] = []\n',
        replace: `  const runs: HandlerRun[] = []
  const begun = new Map(handlers.map((one) => [one, runWithDeadline(one, call, deps, signal)]))
`,
      },
      {
        file: HANDLERS,
        find: 'const done = await runWithDeadline(handler, call, deps, signal)',
        replace: 'const done = (await begun.get(handler)) as HandlerRun',
      },
    ],
  },
  {
    name: 'a second run of a handler is told that it is the first',
    patches: [{file: HANDLERS, find: '    attempt,\n    key:', replace: '    attempt: 1,\n    key:'}],
  },
  {
    name: 'a repetition has an idempotency key of its own',
    patches: [
      {
        file: HANDLERS,
        find: 'digest: contentDigest(frame.event, frame.data),',
        replace: 'digest: contentDigest(frame.event, attempt),',
      },
    ],
  },
  {
    name: 'what a handler says of its attempts is not heeded',
    patches: [
      {
        file: 'electron/engine/source-run.ts',
        find: 'rejections >= (retry?.attempts ?? FAILURES_UNTIL_HELD)',
        replace: 'retry === undefined && rejections >= FAILURES_UNTIL_HELD',
      },
    ],
  },
  {
    name: 'what a handler says of its attempts is forgotten at a restart',
    patches: [
      {file: LOAD, find: 'return [retry === undefined ? known : {...known, retry}]', replace: 'return [known]'},
    ],
  },
  {
    name: 'the first handlers of a source wait for its next start',
    patches: [
      {
        file: 'electron/engine/set-handlers.ts',
        find: 'await beginAnew(controller)',
        replace: 'return',
      },
    ],
  },
]

/** Those in what streams with generations need, which the simulation must find too. */
export const SESSION_BUGS: readonly PlantedBug[] = [
  {
    name: 'a snapshot is adopted before what was journaled before it',
    patches: [
      {
        file: JOURNAL,
        find: 'const direct = deps.callbacks === undefined && backlog.size() === 0',
        replace: `const isBaseline = piece.some((entry) => entry.kind === 'understood' && entry.frame.kind === 'snapshot')
  const direct = isBaseline || (deps.callbacks === undefined && backlog.size() === 0)`,
      },
    ],
  },
  {
    name: 'a rejected event of a session is passed by the next one',
    patches: [
      {
        file: BACKLOG,
        find: '      deps.backlog.amendFirst(failed)\n      run.leftovers = [failed]\n',
        replace: '      deps.backlog.dropFirst()\n',
      },
    ],
  },
  {
    name: 'a skip that comes with a retry is not heeded',
    patches: [
      {
        file: BACKLOG,
        find: '  if (held !== undefined && run.leftovers[0] !== held) deps.backlog.dropFirst()\n',
        replace: '',
      },
    ],
  },
  {
    name: 'an event of a retired generation moves the cursor',
    patches: [
      {file: 'shared/cursor/lane.ts', find: `  if (isRetired(retired, generation)) return 'stale'\n`, replace: ''},
    ],
  },
  {
    name: 'generations that are over are forgotten at a restart',
    patches: [{file: LOAD, find: 'retired: retireAll(noneRetired(), retired)', replace: 'retired: noneRetired()'}],
  },
  {
    name: 'numbers that were not seen are stepped over in silence',
    patches: [
      {
        file: FACTS,
        find: `[{kind: 'holeSeen', hole: {frame, source, receivedAt, ...hole}} as const]`,
        replace: '[]',
      },
    ],
  },
  {
    name: 'half of a snapshot is adopted',
    patches: [
      {
        file: 'electron/engine/prime/talk-snapshots.ts',
        find: 'if (problem !== undefined || end.cursor === undefined)',
        replace: 'if (end.cursor === undefined)',
      },
    ],
  },
  {
    name: 'a session inherits less than the one before it has read',
    patches: [
      {
        file: 'electron/engine/prime/talk-events.ts',
        find: `{kind: 'replaced', by: session, lane: talk.lane,`,
        replace: `{kind: 'replaced', by: session, lane: before,`,
      },
    ],
  },
  {
    name: 'an attach claims that dialogs may be shown here',
    patches: [
      {
        file: 'electron/engine/prime/passive-command.ts',
        find: 'supportsExtensionUi: false',
        replace: 'supportsExtensionUi: true',
      },
    ],
  },
]

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

export const ALL_BUGS: readonly PlantedBug[] = [...PLANTED_BUGS, ...SESSION_BUGS, ...UNSEEN_BUGS]
