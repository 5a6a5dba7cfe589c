import type {PlantedBug} from './planted-bug.ts'

const LANE = 'shared/cursor/lane.ts'
const RUN = 'electron/engine/numbered/run-numbered-source.ts'
const WATCH = 'electron/engine/numbered/watch-connection.ts'
const FILE = 'electron/engine/numbered/file-transport.ts'
const EVENT = 'electron/engine/numbered/message-of-event.ts'
const DECIDE = 'electron/engine/numbered/decide-numbering.ts'

/** Those in how numbered streams are asked for, read and numbered anew. */
export const NUMBERED_BUGS: readonly PlantedBug[] = [
  {
    name: 'a numbered stream goes on behind what was received, and not behind what is handled',
    wire: 'numbered',
    patches: [
      {
        file: RUN,
        find: '    await deps.room.atMost(0, signal)\n    if (journaledReset',
        replace: '    if (journaledReset',
      },
      {
        file: RUN,
        find: '    await deps.room.atMost(0, signal)\n    if (signal.aborted) return\n    if (isTerminal',
        replace: '    if (isTerminal',
      },
      {file: WATCH, find: 'const {held} = laneHeld(run.held)', replace: 'const {held} = deps.backlog.lane()'},
    ],
  },
  {
    name: 'a numbered stream is asked for from its beginning at every open',
    wire: 'numbered',
    patches: [{file: WATCH, find: '{...(held === undefined ? {} : {from: held}), future}', replace: '{future}'}],
  },
  {
    name: 'an event without an id of its own has the cursor of the one before it',
    wire: 'numbered',
    patches: [
      {
        file: EVENT,
        find: '/** A server-sent event as',
        replace: 'let lastId: string | undefined\n\n/** A server-sent event as',
      },
      {
        file: EVENT,
        find: 'const {data, id, bytes, cuts} = arrival.frame',
        replace: 'const {data, id = lastId, bytes, cuts} = arrival.frame\n  lastId = id',
      },
    ],
  },
  {
    name: 'a number that was handled already counts as an event again',
    wire: 'numbered',
    patches: [
      {
        file: LANE,
        find: `if (missing < 0) return {verdict: {decision: 'duplicate'}, lane}`,
        replace: `if (missing < 0) return moved({decision: 'next'}, lane, incoming)`,
      },
    ],
  },
  {
    name: `a numbering that began anew is gone on with, without the user's word`,
    wire: 'numbered',
    patches: [
      {
        file: LANE,
        find: `return 'numberingReset'`,
        replace: `return 'newGeneration'`,
      },
    ],
  },
  {
    name: `the user's word about a numbering is forgotten at a restart, and acted upon`,
    wire: 'numbered',
    patches: [
      {
        file: RUN,
        find: 'if (beginsAnew(lane, leftover)) reset = leftover',
        replace: `const isAnew = beginsAnew(lane, leftover)
    if (isAnew && leftover.attempts > 0) backlog.add({...leftover, frame: {...leftover.frame, taken: true} as never})
    else if (isAnew) reset = leftover`,
      },
    ],
  },
  {
    name: 'a numbering that is kept moves the cursor',
    wire: 'numbered',
    patches: [
      {
        file: DECIDE,
        find: `cause: 'numberingKept', frame, steps: []`,
        replace: `cause: 'numberingKept', frame, steps: [{key: 'sequence' as never, before: 1 as never, after: 0 as never}]`,
      },
    ],
  },
  {
    name: 'what jumps into the generations of a numbering that was given up moves the cursor',
    wire: 'numbered',
    patches: [
      {
        file: LANE,
        find: `return generation <= retired.highest ? 'stale' : 'newGeneration'`,
        replace: `return 'newGeneration'`,
      },
    ],
  },
  {
    name: 'a numbering that was taken is stale where it grows into what the lost one had',
    wire: 'numbered',
    patches: [{file: LANE, find: `  if (isGrowth(lane, generation)) return 'newGeneration'\n`, replace: ''}],
  },
  {
    name: 'generations that were not met are stepped over in silence',
    wire: 'numbered',
    patches: [
      {
        file: LANE,
        find: 'const skipped = numbered && isNumbered(held.generation) ? next.generation - held.generation - 1 : 0',
        replace: 'const skipped = 0',
      },
    ],
  },
  {
    name: 'whoever is let in to wait is called caught up',
    wire: 'numbered',
    patches: [{file: WATCH, find: `{...deps, future: 'fail'}`, replace: 'deps'}],
  },
  {
    name: 'whoever is sent away for a cursor ahead asks as before',
    wire: 'numbered',
    patches: [
      {
        file: RUN,
        find: `return kind === 'resumeRefused' || (kind === 'futureCursor' && future === 'fail')`,
        replace: `return kind === 'resumeRefused' && future !== undefined`,
      },
    ],
  },
  {
    name: 'a numbered stream is read on however much of it waits',
    wire: 'numbered',
    patches: [{file: WATCH, find: '    await deps.room.atMost(WAITING, ended)\n', replace: ''}],
  },
  {
    name: 'a file that was cut, and has grown past the place that was read, is read on',
    wire: 'numbered',
    patches: [
      {
        file: FILE,
        find: 'if (bytesRead < tail.length || Buffer.compare(bytes.subarray(0, tail.length), tail) !== 0) return CUT',
        replace: 'if (bytesRead < tail.length) return CUT',
      },
    ],
  },
  {
    name: 'a cursor ahead of a file is called caught up',
    wire: 'numbered',
    patches: [
      {file: FILE, find: `future !== 'fail') return undefined`, replace: `future !== undefined) return undefined`},
    ],
  },
  {
    name: 'a file that is no longer read stays open',
    wire: 'numbered',
    patches: [{file: FILE, find: 'closed ??= handle.close()', replace: 'closed ??= Promise.resolve()'}],
  },
]
