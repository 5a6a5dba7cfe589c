import {epochMs} from '../../../../shared/base/units.ts'
import type {Change} from '../../../../shared/history/change.ts'
import type {Attempt, ConnectionFact, Gap, JournaledFrame, Move, Outcome} from '../../../../shared/history/fact.ts'
import type {FrameId} from '../../../../shared/history/frame-id.ts'
import type {GenerationSeen} from '../../../../shared/history/generation.ts'
import type {Hole} from '../../../../shared/history/hole.ts'
import type {NumberingDecision} from '../../../../shared/history/numbering.ts'
import type {CoordinateKey, Position, Sequence, Step} from '../../../../shared/position/position.ts'
import type {SourceId, SourceRecord} from '../../../../shared/source/source.ts'

/* Short ways to say changes in tests. The casts make brands of plain values, as a parser would. */

export const SOURCE = 'source-1' as SourceId
export const START = 1_700_000_000_000

export function id(n: number): FrameId {
  return n as FrameId
}

export function record(source: SourceId = SOURCE): SourceRecord {
  const settings = {kind: 'demo', scenario: 'tour'} as const
  return {id: source, name: source, settings, connectionId: 'c-1', addedAt: epochMs(START), paused: false}
}

export function added(source: SourceId = SOURCE): Change {
  return {kind: 'sourceAdded', source: record(source)}
}

export function frame(n: number, more: Partial<JournaledFrame> = {}): JournaledFrame {
  const about = {source: SOURCE, receivedAt: epochMs(START + n * 1_000), kind: 'event', event: 'message'} as const
  const bytes = new TextEncoder().encode(`event: message\ndata: ${n}`)
  return {id: id(n), ...about, summary: `message ${n}`, bytes, size: bytes.length, cuts: [], ...more}
}

export function journaled(n: number, outcome: Outcome = 'handled', more: Partial<JournaledFrame> = {}): Change {
  return {kind: 'frameJournaled', frame: frame(n, more), outcome, attempt: 1}
}

export function settled(n: number, outcome: Outcome = 'handled', attempt = 1): Change {
  return {kind: 'frameSettled', frame: id(n), source: SOURCE, outcome, attempt, at: epochMs(START + n * 1_000 + 500)}
}

/** `[name, before, after]`; `undefined` where it was not held, or is removed. */
export type Told = readonly [name: string, before: number | undefined, after: number | undefined]

export function steps(...told: readonly Told[]): readonly Step[] {
  return told.map(([name, before, after]) => ({
    key: name as CoordinateKey,
    ...(before === undefined ? {} : {before: before as Sequence}),
    ...(after === undefined ? {} : {after: after as Sequence}),
  }))
}

export function moved(n: number, told: readonly Told[], more: Partial<Move> = {}): Change {
  const about = {source: SOURCE, at: epochMs(START + n * 1_000), cause: 'handled', frame: id(n)} as const
  return {kind: 'cursorMoved', move: {...about, steps: steps(...told), ...more}}
}

export function attempt(n: number, more: Partial<Attempt> = {}): Attempt {
  const at = epochMs(START + n * 1_000)
  return {frame: id(n), source: SOURCE, n: 1, callback: 'onEvent', state: 'pending', startedAt: at, ...more}
}

export function gap(n: number, more: Partial<Gap> = {}): Gap {
  const about = {frame: id(n), source: SOURCE, receivedAt: epochMs(START + n * 1_000), outcome: 'pending'} as const
  return {...about, said: {}, before: at({}), after: at({}), wentBack: [], removed: [], ...more}
}

export function connection(atMs: number, more: Partial<ConnectionFact> = {}): ConnectionFact {
  return {source: SOURCE, at: epochMs(atMs), state: {kind: 'live', attempt: 0}, heartbeat: 'fresh', ...more}
}

export function at(position: Readonly<Record<string, number>>): Position {
  return new Map(Object.entries(position)) as ReadonlyMap<string, number> as Position
}

export function hole(n: number, more: Partial<Hole> = {}): Hole {
  const about = {source: SOURCE, receivedAt: epochMs(START + n * 1_000), by: 'event'} as const
  return {frame: id(n), ...about, lane: 'g:a' as CoordinateKey, upTo: 9 as Sequence, missing: 4, ...more}
}

/** With frame `n` a numbering began anew, from {10, 7} to {1, 0}. */
export function decided(
  n: number,
  decision: NumberingDecision['decision'],
  more: Partial<NumberingDecision> = {},
): Change {
  const cursor = (generation: number, sequence: number) => ({generation, sequence}) as NumberingDecision['held']
  const [receivedAt, decidedAt] = [epochMs(START + n * 1_000), epochMs(START + n * 1_000 + 500)]
  const about = {frame: id(n), source: SOURCE, receivedAt, decidedAt, decision}
  return {kind: 'numberingDecided', numbering: {...about, held: cursor(10, 7), offered: cursor(1, 0), ...more}}
}

/** @param ms - after `START` */
export function seen(lane: string, sequence: number, ms: number, by: GenerationSeen['by'] = 'event'): Change {
  const where = {lane: lane as CoordinateKey, sequence: sequence as Sequence}
  return {kind: 'generationSeen', seen: {source: SOURCE, ...where, at: epochMs(START + ms), by}}
}
