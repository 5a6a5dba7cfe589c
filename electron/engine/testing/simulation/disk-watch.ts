import type {Change} from '../../../../shared/history/change.ts'
import {countsAsFailure} from '../../../../shared/history/fact.ts'
import type {SourceRecord} from '../../../../shared/source/source.ts'
import type {StoredProfile} from '../../store/store.ts'
import type {DiskWatch} from './disk.ts'
import type {SourceChange} from './durable-rules.ts'
import type {Life} from './life.ts'
import {readReplaced} from './prime/read-line.ts'
import type {SessionWitness} from './prime/session-witness.ts'
import type {Removals} from './removals.ts'
import type {Trace} from './trace.ts'
import type {Witness} from './witness.ts'

interface Watched {
  readonly witnesses: ReadonlyMap<string, Witness>
  /** Those of them that watch a session of a daemon. */
  readonly sessions: ReadonlyMap<string, SessionWitness>
  readonly removals: Removals
  readonly life: () => Life | undefined
  /** The engine made a source of its own. */
  readonly added: (source: SourceRecord) => void
  /** The engine was told that an attempt is durable which failed. */
  readonly failed: () => void
  readonly trace: Trace
}

/** Tells each source's witness what is asked of the disk, what is on it, and what the engine is told of that. */
export function createDiskWatch({witnesses, sessions, removals, life, added, failed, trace}: Watched): DiskWatch {
  return {
    asked(changes) {
      trace.note(() => `asks for ${changes.map(inShort).join(', ')}`)
      for (const [source, own] of bySource(changes)) witnesses.get(source)?.asked(own)
    },
    durable(changes) {
      trace.note(() => `durable: ${changes.map(inShort).join(', ')}`)
      if (changes.some(({kind}) => kind === 'openAttemptsAborted'))
        for (const witness of witnesses.values()) witness.abortedOpen()
      removals.durable(changes)
      const lists = changes.flatMap((change) => (change.kind === 'sourceChanged' ? [change.source] : []))
      for (const {id, handlers} of lists) witnesses.get(id)?.lists.durable(handlers ?? [])
      for (const change of changes) if (change.kind === 'sourceAdded') added(change.source)
      tellHeirs(changes, sessions)
      const positions = [...bySource(changes)].flatMap(([source, own]) => {
        const witness = witnesses.get(source)
        witness?.durable(own)
        return witness === undefined ? [] : [{source, position: witness.position()}]
      })
      return () => {
        trace.note(() => `acknowledged: ${changes.map(inShort).join(', ')}`)
        removals.acknowledged(changes)
        for (const {id, handlers} of lists) witnesses.get(id)?.lists.acknowledged(handlers ?? [])
        for (const {source, position} of positions) life()?.acknowledged(source, position)
        if (changes.some(isFailure)) failed()
      }
    },
    loaded(profile: StoredProfile) {
      trace.note(() => 'profile loaded')
      removals.loaded(profile.sources.map(({record}) => record.id))
      for (const stored of profile.sources) witnesses.get(stored.record.id)?.checkLoaded(stored)
      life()?.loaded()
    },
  }
}

function isFailure(change: Change): boolean {
  return change.kind === 'attemptEnded' && countsAsFailure(change.attempt.state)
}

/** A session is replaced: the one that goes on may begin where that stands. */
function tellHeirs(changes: readonly Change[], sessions: Watched['sessions']): void {
  for (const change of changes) {
    const text = change.kind === 'frameJournaled' ? Buffer.from(change.frame.bytes).toString('utf8') : ''
    const replaced = text === '' ? undefined : readReplaced(text)
    if (change.kind !== 'frameJournaled' || replaced === undefined) continue
    const from = change.frame.source
    for (const session of sessions.values())
      if (session.sessionId === replaced.by)
        session.inherits({at: replaced.at, supervisor: () => sessions.get(from)?.supervisor()})
  }
}

function bySource(changes: readonly Change[]): ReadonlyMap<string, SourceChange[]> {
  const own = new Map<string, SourceChange[]>()
  for (const change of changes) {
    if (change.kind === 'openAttemptsAborted' || change.kind === 'sourceAdded' || change.kind === 'sourceChanged')
      continue
    const source = sourceOf(change)
    const list = own.get(source)
    if (list === undefined) own.set(source, [change])
    else list.push(change)
  }
  return own
}

function sourceOf(change: SourceChange): string {
  if ('source' in change) return change.source
  if ('move' in change) return change.move.source
  if ('frame' in change) return change.frame.source
  if ('attempt' in change) return change.attempt.source
  if ('gap' in change) return change.gap.source
  if ('hole' in change) return change.hole.source
  if ('numbering' in change) return change.numbering.source
  if ('seen' in change) return change.seen.source
  return 'activity' in change ? change.activity.source : change.connection.source
}

function inShort(change: Change): string {
  switch (change.kind) {
    case 'frameJournaled':
      return `${change.frame.kind} ${change.frame.id} journaled ${change.outcome}`
    case 'frameSettled':
      return `${change.frame} ${change.outcome} at attempt ${change.attempt}`
    case 'cursorMoved':
      return `${change.move.frame} moves ${change.move.cause} ${JSON.stringify(change.move.steps)}`
    case 'attemptStarted':
    case 'attemptEnded':
      return `attempt ${change.attempt.n} of ${change.attempt.frame} ${change.attempt.state}`
    case 'gapRecorded':
      return `gap ${change.gap.frame} ${change.gap.outcome}`
    case 'connectionChanged':
      return `${change.connection.source} ${change.connection.state.kind} ${change.connection.heartbeat}`
    default:
      return change.kind
  }
}
