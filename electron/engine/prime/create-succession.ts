import {present} from '../../../shared/base/present.ts'
import {type Held, nothingHeld} from '../../../shared/callbacks/held.ts'
import {laneHeld} from '../../../shared/callbacks/settle-cursor.ts'
import {positionOfCursor} from '../../../shared/cursor/cursor-position.ts'
import {inherit, type Lane} from '../../../shared/cursor/lane.ts'
import {isRetired, retiredBeyond} from '../../../shared/cursor/retired.ts'
import type {Change} from '../../../shared/history/change.ts'
import {stepsFor} from '../../../shared/position/position.ts'
import {LONGEST_SESSION_ID, sessionName} from '../../../shared/sessions/session-key.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import type {Clock} from '../clock.ts'
import type {SourceController} from '../source-controller.ts'
import type {RemovedSessions} from './removed-sessions.ts'
import type {Handed, Replacement, Succession, Successor} from './succession.ts'
import {watcherOf} from './watched-session.ts'

export interface SuccessionDeps {
  readonly clock: Clock
  readonly sources: ReadonlyMap<SourceId, SourceController>
  readonly removed: RemovedSessions
  /** @param held - what it inherits */
  readonly add: (record: SourceRecord, held: Held) => SourceController
}

/** Finds the source of the session that goes on, or makes one. */
export function createSuccession(deps: SuccessionDeps): Succession & {readonly close: () => void} {
  const handed = new Map<SourceId, Handed>()
  const hand = (source: SourceId, {activeSessionId, supervisor}: Replacement): Successor['start'] => {
    return (connection) => void handed.set(source, {activeSessionId, handed: connection, ...present({supervisor})})
  }
  return {
    plan(replacement) {
      const {socket, by} = replacement
      if ((by.sessionId?.length ?? 0) > LONGEST_SESSION_ID) return NO_HEIR
      const known = watcherOf(deps.sources.values(), {socket, ...by})
      if (known === undefined && deps.removed.has({socket, ...by})) return REMOVED_HEIR
      if (known === undefined) return firstHeir(deps, replacement, hand)
      return canInherit(known) ? knownHeir(deps, known, replacement, hand) : NO_HEIR
    },
    take(source) {
      const found = handed.get(source)
      handed.delete(source)
      return found
    },
    close() {
      for (const {handed: connection} of handed.values()) connection.close()
      handed.clear()
    },
  }
}

/** The connection ends, and nobody takes it over. */
const NO_HEIR: Successor = {changes: [], start: ({close}) => close()}

/** The user removed the source of the session that goes on, which is a word about it: nothing brings it back. */
const REMOVED_HEIR: Successor = {...NO_HEIR, removed: true}

type Hand = (source: SourceId, replacement: Replacement) => Successor['start']

/** One that is watched elsewhere, paused, being removed, or has frames to handle, goes its own way: its next snapshot says what was not seen. */
function canInherit({run, isClosed}: SourceController): boolean {
  return (
    !isClosed() &&
    !run.record.paused &&
    run.state.kind !== 'live' &&
    run.state.kind !== 'held' &&
    (run.backlog?.size() ?? 0) === 0
  )
}

const NAME_LENGTH = 100

function firstHeir(deps: SuccessionDeps, replacement: Replacement, hand: Hand): Successor {
  const {clock} = deps
  const {socket, by, lane, name, supervisor} = replacement
  const id = clock.uuid() as SourceId // made here, once
  const called = (name ?? '').trim().slice(0, NAME_LENGTH) || sessionName(by).slice(-NAME_LENGTH)
  const settings = {kind: 'prime', socket, ...by} as const
  const fresh = {id, name: called, settings, connectionId: clock.uuid(), addedAt: clock.now(), paused: false}
  const record = {...fresh, ...present({supervisor})}
  const {held, changes} = inheritance(id, nothingHeld(), lane, clock)
  return {
    changes: [{kind: 'sourceAdded', source: record}, ...changes],
    start(connection) {
      hand(id, replacement)(connection)
      deps.add(record, held).start()
    },
  }
}

function knownHeir(deps: SuccessionDeps, known: SourceController, replacement: Replacement, hand: Hand): Successor {
  const {id, supervisor: before} = known.run.record
  const {supervisor} = replacement
  // One that answered this source already is not met again.
  const met = supervisor?.generation === before?.generation ? undefined : supervisor
  const {held, changes} = inheritance(id, known.run.held, replacement.lane, deps.clock)
  return {
    changes: [
      ...changes,
      ...(met === undefined ? [] : [{kind: 'supervisorMet', source: id, supervisor: met} as const]),
    ],
    start(connection) {
      hand(id, {...replacement, ...present({supervisor: met ?? before})})(connection)
      known.run.held = held
      known.run.record = {...known.run.record, ...present({supervisor: met})}
      void known.restart()
    },
  }
}

/** The cursor is not this source's own work: its move says so. */
function inheritance(
  source: SourceId,
  own: Held,
  lane: Lane,
  clock: Clock,
): {readonly held: Held; readonly changes: readonly Change[]} {
  const {held, retired} = inherit(laneHeld(own), lane)
  if (held === undefined) return {held: own, changes: []}
  const at = clock.now()
  const resumed = positionOfCursor(held)
  const steps = stepsFor(own.position, false, {kind: 'replacement', resumed})
  const changes: Change[] = [
    ...(steps.length === 0 ? [] : [{kind: 'cursorMoved', move: {source, at, cause: 'imported', steps}} as const]),
    ...(isRetired(own.retired, held.generation)
      ? [{kind: 'generationResumed', source, generation: held.generation} as const]
      : []),
    ...retiredBeyond(retired, own.retired).map(
      (generation): Change => ({kind: 'generationRetired', source, generation, at}),
    ),
  ]
  return {held: {position: resumed, vectorSeen: own.vectorSeen, retired}, changes}
}
