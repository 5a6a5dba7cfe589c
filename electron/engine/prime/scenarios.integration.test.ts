import {expect, test} from 'vitest'
import {cursorOfPosition} from '../../../shared/cursor/cursor-position.ts'
import {primeScenarios} from '../../demo/prime/scenarios.ts'
import {breachesOfPassivity} from '../../demo/prime/testing/passive.ts'
import {type WatchedDaemon, watchDaemon} from '../testing/watch-daemon.ts'

/** The state in which a scenario leaves its watcher, and what must have happened. Those that are not here only keep the laws. */
const ENDS: {readonly [scenario: string]: (watched: WatchedDaemon) => Promise<boolean> | boolean} = {
  turn: ({told}) => told().includes('handled agent_end'),
  tool: ({told}) => told().includes('handled agent_end'),
  'parallel-tools': ({told}) => told().includes('handled agent_end'),
  bash: ({told}) => told().includes('handled bash_end'),
  compaction: ({told}) => told().includes('handled compaction_end'),
  retry: ({told}) => told().includes('handled agent_end'),
  queue: ({told}) => told().filter((one) => one === 'handled session_action_update').length === 3,
  aborted: ({told}) => told().filter((one) => one === 'handled agent_end').length === 2,
  'two-sessions': ({told}) => told().includes('handled agent_end'),
  'two-clients': ({told}) => told().includes('handled bash_end'),
  still: ({told}) => told().includes('handled session_snapshot_end'),
  crash: (watched) => isWaiting(watched, 'workerGone'),
  reopen: async (watched) =>
    (await watched.generations()).length === 2 && watched.told().at(-1) === 'handled agent_end',
  replace: async ({views}) => (await views()).length === 2 && ((await views())[1]?.counts.handled ?? 0) > 15,
  'big-line': async ({told, view}) => told().includes('handled agent_end') || (await view()).counts.holes > 0,
  resync: ({told}) => told().includes('handled agent_end'),
  hole: async ({view}) => (await view()).counts.holes === 1 && (await view()).counts.handled > 8,
  closed: async (watched) => (await watched.generations()).length === 2,
  'supervisor-update': ({told}) => told().filter((one) => one === 'handled bash_end').length === 2,
  'supervisor-killed': ({told}) => told().filter((one) => one === 'control daemon_hello').length === 2,
  shutdown: async (watched) => (await watched.generations()).length === 2,
  'late-hello': ({told}) => told().includes('handled bash_end'),
  'version-8': (watched) => isWaiting(watched, 'unsupportedDaemon'),
  // What happens while its snapshot streams is in the next snapshot, and was not seen.
  'big-transcript': async ({told, view}) => told().includes('handled bash_end') || (await view()).counts.holes > 0,
  'bad-lines': async ({view}) => (await view()).counts.malformed > 3,
  'huge-line': async ({told, view}) =>
    (await view()).counts.malformed === 1 && told().filter((one) => one === 'handled bash_end').length === 2,
  cut: ({told}) => told().filter((one) => one === 'control daemon_hello').length === 2,
  'hang-up': ({told}) => told().filter((one) => one === 'control daemon_hello').length === 2,
}

function isWaiting({store}: WatchedDaemon, because: string): boolean {
  const state = store.connection()?.state
  return state?.kind === 'waiting' && state.because.kind === because
}

const LONG = new Set(['tour', 'empty', 'opened-later'])

test.each(primeScenarios.filter(({name}) => !LONG.has(name)).map(({name}) => name))(
  '%s: what is read is kept, the cursor is where the stream is, and nothing but what is passive was sent',
  async (name) => {
    const watched = await watchDaemon({scenario: name, speed: 20})
    const ended = ENDS[name] ?? (({told}) => told().filter((one) => one === 'handled bash_end').length >= 2)
    await watched.until(() => ended(watched), `the end of ${name}`)
    await watched.close()
    expect(breachesOfPassivity(watched.daemon.record())).toEqual([])
    expectKept(watched)
  },
)

/** Every frame is settled, and the cursor is the last that was handled or adopted. */
function expectKept({store, source}: WatchedDaemon): void {
  const own = [...store.frames.values()].filter(({frame}) => frame.source === source)
  expect(own.filter(({outcomes}) => outcomes.at(-1) === 'pending')).toEqual([])
  const cursor = cursorOfPosition(store.positionOf(source))
  const last = own.findLast(
    ({frame, outcomes}) =>
      frame.sequence !== undefined && (outcomes.at(-1) === 'handled' || outcomes.at(-1) === 'discarded'),
  )
  expect(cursor?.sequence).toBe(last?.frame.sequence)
}
