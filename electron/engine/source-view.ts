import {present} from '../../shared/base/present.ts'
import type {SourceView} from '../../shared/contract/rows.ts'
import {attemptRowOf, connectionRowOf, pairsOf} from '../../shared/contract/to-rows.ts'
import {type CoordinateKey, OWN, type Position, type Sequence} from '../../shared/position/position.ts'
import type {DemoPort} from './demo-port.ts'
import {sessionOf} from './prime/watched-session.ts'
import type {SourceRun} from './source-run.ts'

/** A board row shows at most this many coordinates; the rest is asked for. */
const COORDINATES_SHOWN = 200

/** @param demo - where there is one: a session that its daemon brought is of the demo too */
export function sourceViewOf(run: SourceRun, demo?: DemoPort): SourceView {
  const {record, held} = run
  const watched = sessionOf(run)
  return {
    id: record.id,
    name: record.name,
    settings: record.settings,
    demo: isDemo(record.settings, demo),
    paused: record.paused,
    connection: connectionRowOf(run.connection),
    ...(run.readsOn ? {readsOn: true} : {}),
    ...(isTakingNumbering(run) ? {takingNumbering: true} : {}),
    position: pairsOf(shownPart(held.position)),
    coordinates: held.position.size,
    vectorSeen: held.vectorSeen,
    counts: {...run.counts},
    ...(run.openAttempt === undefined ? {} : {openAttempt: attemptRowOf(run.openAttempt)}),
    waiting: Math.max(run.queued + run.inHand, run.leftovers.length),
    rejectedOpen: run.leftovers.filter(({rejections}) => rejections > 0).length + run.unreadable.size,
    ...(run.lastByteAt === undefined ? {} : {lastByteAt: run.lastByteAt}),
    notices: [...run.notices].map(([kind, detail]) => ({kind, detail})),
    ...present({sessionId: watched?.sessionId, sessionFile: watched?.sessionFile}),
    ...(run.session === undefined ? {} : {session: run.session}),
    handlers: record.handlers ?? [],
  }
}

function isTakingNumbering({state, leftovers: [first]}: SourceRun): boolean {
  return state.kind === 'held' && first?.frame.kind === 'sequenced' && first.frame.taken === true
}

function isDemo(settings: SourceRun['record']['settings'], demo: DemoPort | undefined): boolean {
  if (settings.kind === 'demo') return true
  return settings.kind === 'prime' && demo?.owns?.(settings.socket) === true
}

/** A view is made for every batch, so what it costs must not grow with the rooms. */
function shownPart(position: Position): Position {
  if (position.size <= COORDINATES_SHOWN) return position
  const part = new Map<CoordinateKey, Sequence>()
  const own = position.get(OWN)
  if (own !== undefined) part.set(OWN, own)
  for (const [key, sequence] of position) if (part.set(key, sequence).size >= COORDINATES_SHOWN) break
  return part
}
