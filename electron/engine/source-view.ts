import type {SourceView} from '../../shared/contract/rows.ts'
import {attemptRowOf, connectionRowOf, pairsOf} from '../../shared/contract/to-rows.ts'
import {type CoordinateKey, OWN, type Position} from '../../shared/position/position.ts'
import type {SourceRun} from './source-run.ts'

/** A board row shows at most this many coordinates; the rest is asked for. */
const COORDINATES_SHOWN = 200

export function sourceViewOf(run: SourceRun): SourceView {
  const {record, held} = run
  return {
    id: record.id,
    name: record.name,
    settings: record.settings,
    paused: record.paused,
    connection: connectionRowOf(run.connection),
    position: pairsOf(held.position, shownKeys(held.position)),
    coordinates: held.position.size,
    vectorSeen: held.vectorSeen,
    counts: {...run.counts},
    ...(run.openAttempt === undefined ? {} : {openAttempt: attemptRowOf(run.openAttempt)}),
    waiting: Math.max(run.queued + run.inHand, run.leftovers.length),
    ...(run.lastByteAt === undefined ? {} : {lastByteAt: run.lastByteAt}),
    notices: [...run.notices].map(([kind, detail]) => ({kind, detail})),
  }
}

/** `undefined` where all of them are shown. */
function shownKeys(position: Position): ReadonlySet<CoordinateKey> | undefined {
  if (position.size <= COORDINATES_SHOWN) return undefined
  const keys = new Set<CoordinateKey>([OWN])
  for (const key of position.keys()) if (keys.add(key).size >= COORDINATES_SHOWN) break
  return keys
}
