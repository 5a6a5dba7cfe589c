import fc from 'fast-check'
import {epochMs} from '../../../../shared/base/units.ts'
import type {Change} from '../../../../shared/history/change.ts'
import type {JournaledFrame, Move} from '../../../../shared/history/fact.ts'
import type {CoordinateKey, Sequence} from '../../../../shared/position/position.ts'
import {connection, frame, gap, id, START, steps, type Told} from './changes.ts'

/** What happens next to a source, in the small words a generator can make up. */
export interface Happening {
  readonly kind: 'handled' | 'slow' | 'rejected' | 'malformed' | 'gap' | 'control' | 'imported' | 'connection'
  /** Since the happening before it, in ms. Negative: the clock was set back. */
  readonly afterMs: number
  /** Which lanes move, and by how much; 0 removes. */
  readonly moves: readonly (readonly [lane: number, by: number])[]
  /** How long its callback took, in ms. */
  readonly tookMs: number
  /** A commit ends after it. */
  readonly commit: boolean
}

const UNITS_MS = [10, 300, 1_000, 7_000, 60_000, 600_000, 3_600_000, 86_400_000]

/** Histories at every pace, so that every level of the roll-ups is opened and closed. */
export function histories(clock: 'steady' | 'jumping'): fc.Arbitrary<readonly Happening[]> {
  return fc.constantFrom(...UNITS_MS).chain((unit) => {
    const afterMs = fc.integer({min: clock === 'jumping' ? -20 * unit : 0, max: 4 * unit})
    const happening = fc.record({
      kind: fc.constantFrom(
        ...([
          'handled',
          'handled',
          'slow',
          'rejected',
          'malformed',
          'gap',
          'control',
          'imported',
          'connection',
        ] as const),
      ),
      afterMs,
      moves: fc.array(fc.tuple(fc.nat(3), fc.integer({min: -2, max: 5})), {maxLength: 12}),
      tookMs: fc.nat(3 * unit),
      commit: fc.boolean(),
    })
    return fc.array(happening, {minLength: 1, maxLength: 60})
  })
}

const LANES = ['s', 'r:a', 'r:b', '__proto__']

/** The changes an engine would write, as lists that were committed together. Callbacks run one at a time. */
export function changesOf(happenings: readonly Happening[]): readonly (readonly Change[])[] {
  const held = new Map<string, number>()
  const lists: Change[][] = [[]]
  let now = START
  let n = 0
  for (const {kind, afterMs, moves, tookMs, commit} of happenings) {
    now += afterMs
    n += 1
    const told = kind === 'malformed' || kind === 'control' || kind === 'connection' ? [] : take(held, moves)
    lists.at(-1)?.push(...changesAt(kind, {n, now, told, settledAt: now + tookMs}))
    if (kind === 'slow') now += tookMs
    if (commit) lists.push([])
  }
  return lists
}

interface Moment {
  readonly n: number
  readonly now: number
  readonly settledAt: number
  readonly told: readonly Told[]
}

function changesAt(kind: Happening['kind'], {n, now, told, settledAt}: Moment): Change[] {
  if (kind === 'connection') return [{kind: 'connectionChanged', connection: connection(now)}]
  const move = (at: number, more: Partial<Move> = {}): Change[] =>
    told.length === 0 ? [] : [{kind: 'cursorMoved', move: {...moveOf(n, at, told), ...more}}]
  if (kind === 'imported') {
    const {frame: _none, ...imported} = moveOf(n, now, told)
    return told.length === 0 ? [] : [{kind: 'cursorMoved', move: {...imported, cause: 'imported'}}]
  }
  const lane = told[0]?.[0]
  const place = lane === undefined ? {} : {lane: lane as CoordinateKey, sequence: n as Sequence}
  const journal = (
    outcome: 'handled' | 'pending' | 'malformed' | 'control',
    more: Partial<JournaledFrame> = {},
  ): Change => ({
    kind: 'frameJournaled',
    frame: frame(n, {receivedAt: epochMs(now), ...place, ...more}),
    outcome,
    attempt: 1,
  })
  const settle = (outcome: 'handled' | 'rejected'): Change => ({
    kind: 'frameSettled',
    frame: id(n),
    source: moveOf(n, now, told).source,
    outcome,
    attempt: 1,
    at: epochMs(settledAt),
  })
  if (kind === 'malformed') return [journal('malformed', {kind: 'malformed'})]
  if (kind === 'control') return [journal('control', {kind: 'control'})]
  if (kind === 'slow') return [journal('pending'), settle('handled'), ...move(settledAt)]
  if (kind === 'rejected')
    return [journal('pending'), settle('rejected'), ...move(now, {cause: 'skipped', reason: 'why not'})]
  if (kind === 'gap')
    return [
      journal('handled', {kind: 'gap'}),
      ...move(now, {cause: 'gapReplaced'}),
      {kind: 'gapRecorded', gap: gap(n, {receivedAt: epochMs(now)})},
    ]
  return [journal('handled'), ...move(now)]
}

function moveOf(n: number, at: number, told: readonly Told[]): Move {
  const {source} = frame(n)
  return {source, at: epochMs(at), cause: 'handled', frame: id(n), steps: steps(...told)}
}

/** Moves each lane named, once; one that would go below nothing is removed, and a lane that is not held cannot be. */
function take(held: Map<string, number>, moves: Happening['moves']): Told[] {
  const told = new Map<string, Told>()
  for (const [lane, by] of moves) {
    const name = LANES[lane] ?? 's'
    const before = held.get(name)
    if (told.has(name) || by === -1) continue
    const after = by === 0 ? undefined : Math.max(0, (before ?? 0) + by)
    if (before === after) continue
    told.set(name, [name, before, after])
    if (after === undefined) held.delete(name)
    else held.set(name, after)
  }
  return [...told.values()]
}
