import {scenarios} from '../../../demo/scenarios.ts'
import {seededRandom} from '../fast-clock.ts'
import {killOnClose} from './series/closing.ts'
import {killAroundCommands} from './series/commands.ts'
import {killInCommits} from './series/commits.ts'
import {
  killAroundDaemonEvents,
  killAroundDaemonRuns,
  killDaemonAndWatcher,
  killDaemonsWatcherAtRandom,
} from './series/daemons.ts'
import {killAroundEvents, killAroundGaps, killAroundRuns, killAtLeftovers} from './series/frames.ts'
import {killOnFullDisk} from './series/full-disk.ts'
import {killAroundLostStore, killAroundNumbered} from './series/numbered.ts'
import {killAtRandom} from './series/random.ts'
import {killInRetention} from './series/retention.ts'
import {killBetweenFrames} from './series/scenarios.ts'
import {killAtFirstStart, killInMigration} from './series/schema.ts'
import {killAroundWebhooks} from './series/webhooks.ts'
import {inWard, type Kill, type Ward} from './ward.ts'

export interface Series {
  readonly name: string
  /** How many rounds make a proof of it. */
  readonly rounds: number
  readonly run: (ward: Ward) => Promise<void>
}

export const STEPS: readonly Series[] = [
  {name: 'between any two steps of an event', rounds: 4, run: killAroundEvents},
  {name: 'between any two steps of a gap', rounds: 2, run: (ward) => killAroundGaps(ward, 'effect')},
  {name: 'while what was left over is handled first', rounds: 3, run: killAtLeftovers},
  {name: 'around the commits of a source without callbacks', rounds: 4, run: killAroundRuns},
]

export const STORE: readonly Series[] = [
  {name: 'in a commit of one frame', rounds: 4, run: (ward) => killInCommits(ward, true)},
  {name: 'in a commit of many frames', rounds: 4, run: (ward) => killInCommits(ward, false)},
  {name: 'while the profile is made', rounds: 2, run: killAtFirstStart},
  {name: 'while the schema is brought up to date', rounds: 2, run: killInMigration},
  {name: 'while old history is deleted', rounds: 3, run: killInRetention},
  {name: 'while it closes', rounds: 3, run: killOnClose},
]

/** No kill where this user may not make a disk. */
export const FULL_DISK: Series = {name: 'on a disk that became full', rounds: 1, run: killOnFullDisk}

export const ANY_MOMENT: readonly Series[] = [
  {name: 'at any moment, with callbacks', rounds: 6, run: (ward) => killAtRandom(ward, true)},
  {name: 'at any moment, without callbacks', rounds: 6, run: (ward) => killAtRandom(ward, false)},
]

export const CURSORS: readonly Series[] = [
  {name: 'between any two steps of an event of a daemon', rounds: 2, run: killAroundDaemonEvents},
  {name: 'around the commits of a daemon without callbacks', rounds: 2, run: killAroundDaemonRuns},
  {name: 'with the daemon, which dies at any line', rounds: 2, run: killDaemonAndWatcher},
  {name: 'at any moment, while a daemon does its worst', rounds: 2, run: killDaemonsWatcherAtRandom},
  ...(['socket', 'sse', 'file'] as const).map(
    (over): Series => ({
      name: `between any two steps of a numbered event over ${over}`,
      rounds: 1,
      run: (ward) => killAroundNumbered(ward, over),
    }),
  ),
  {name: 'around a numbering that begins anew', rounds: 2, run: killAroundLostStore},
]

export const COMMANDS: readonly Series[] = [
  {name: "around a command of the user's", rounds: 3, run: killAroundCommands},
  {name: "around a webhook of the user's", rounds: 3, run: killAroundWebhooks},
  {name: "around a command of the user's for a gap", rounds: 1, run: (ward) => killAroundGaps(ward, 'command')},
]

export const SCENARIOS: readonly Series[] = scenarios.map((scenario) => ({
  name: `between any two frames of the scenario ${scenario.name}`,
  rounds: 1,
  run: (ward) => killBetweenFrames(ward, scenario),
}))

/** Each series has dice of its own, so that one that found something can be thrown again alone. */
export function runSeries(series: Series, rounds: number, seed: number, bug?: string): Promise<readonly Kill[]> {
  const own = [...series.name].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, seed)
  return inWard({rounds, dice: seededRandom(own), ...(bug === undefined ? {} : {bug})}, series.run)
}
