import type {PlantedBug} from './planted-bug.ts'

const LOAD = 'electron/engine/load-run.ts'
const JOURNAL = 'electron/engine/cursor-source/journal.ts'
const BACKLOG = 'electron/engine/cursor-source/handle-backlog.ts'
const FACTS = 'electron/engine/changes-of-frame.ts'

/** Those in what streams with generations need. */
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
    name: 'what the user skipped runs all the same',
    patches: [
      {
        file: 'electron/engine/skip-frame.ts',
        find: '  run.backlog?.skipped(leftover.journaled.id)\n',
        replace: '',
      },
    ],
  },
  {
    name: 'an event of a retired generation moves the cursor',
    wire: 'prime',
    patches: [
      {
        file: 'shared/cursor/lane.ts',
        find: `if (below || isRetired(retired, generation)) return 'stale'`,
        replace: `if (below) return 'stale'`,
      },
    ],
  },
  {
    name: 'generations that are over are forgotten at a restart',
    wire: 'numbered',
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
    wire: 'prime',
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
        find: `{kind: 'replaced', by, lane: talk.lane,`,
        replace: `{kind: 'replaced', by, lane: before,`,
      },
    ],
  },
  {
    name: 'who answered last is forgotten at a restart',
    wire: 'prime',
    patches: [
      {
        file: LOAD,
        find: '...freshRun(stored.record, now)',
        replace: '...freshRun({...stored.record, supervisor: undefined} as never, now)',
      },
    ],
  },
  {
    name: 'a supervisor that took the place of another one is not told',
    wire: 'prime',
    patches: [
      {
        file: 'electron/engine/prime/talk-turns.ts',
        find: 'if (before?.generation === generation) return undefined',
        replace: 'if (before !== undefined) return undefined',
      },
    ],
  },
  {
    name: 'a session that the user removed is watched again where another one goes on as it',
    wire: 'prime',
    patches: [
      {
        file: 'electron/engine/prime/create-succession.ts',
        find: 'if (known === undefined && deps.removed.has({socket, ...by})) return REMOVED_HEIR',
        replace: '',
      },
    ],
  },
  {
    name: 'that the user removed a session is forgotten at a restart',
    wire: 'prime',
    patches: [
      {
        file: 'electron/engine/engine.ts',
        find: 'createRemovedSessions(profile.removed)',
        replace: 'createRemovedSessions([])',
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
