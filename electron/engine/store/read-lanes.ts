import type {DatabaseSync} from 'node:sqlite'
import type {TimelineRange} from '../../../shared/contract/contract.ts'
import {OWN} from '../../../shared/position/position.ts'
import {type ReadSource, valuesBefore} from './read-cells.ts'
import {fromJson, type Row} from './read-row.ts'
import {type ReadStep, readSteps} from './read-steps.ts'
import {REMOVED} from './roll-up.ts'

export interface NamedLane {
  readonly id: number
  readonly name: string
}

/** No picture shows more lines than this. */
export const LANES_SHOWN = 200

/** `s`, the lanes given as far as there is room, and then others of the source. */
export function chosenLanes(db: DatabaseSync, source: ReadSource, first: readonly number[]): readonly NamedLane[] {
  const own = db.prepare('SELECT id, name FROM coordinates WHERE source = ? AND name = ?')
  const given = db.prepare('SELECT id, name FROM coordinates WHERE id IN (SELECT value FROM json_each(?))')
  const others = db.prepare('SELECT id, name FROM coordinates WHERE source = ? LIMIT ?')
  const rows: Row[] = [
    ...own.all(source.key, JSON.stringify(OWN)),
    ...given.all(JSON.stringify(first.slice(0, LANES_SHOWN))),
    ...others.all(source.key, LANES_SHOWN),
  ]
  const lanes = new Map(rows.map((row) => [Number(row['id']), fromJson<string>(row['name'])]))
  return [...lanes].slice(0, LANES_SHOWN).map(([id, name]) => ({id, name}))
}

/** Every step of a range, and the value of each lane where it begins. */
export function exactLanes(db: DatabaseSync, source: ReadSource, from: number, to: number): TimelineRange['lanes'] {
  const second = Math.floor(from / 1_000) * 1_000 // roll-ups know the values at whole seconds
  const steps = grouped(readSteps(db, source, readFrom(db, source, second, from), to))
  const ids = db.prepare('SELECT id FROM coordinates WHERE source = ? AND name = ?')
  const moved = [...steps.keys()].slice(0, LANES_SHOWN)
  const lanes = chosenLanes(
    db,
    source,
    moved.map((name) => Number(ids.get(source.key, JSON.stringify(name))?.['id'])),
  )
  const still = lanes.filter(({name}) => !steps.has(name)).map(({id}) => id)
  const starts = still.length === 0 ? new Map<number, number>() : valuesBefore(db, source, second, still)
  return lanes
    .map(({id, name}) => lineOf(name, steps.get(name) ?? [], starts.get(id), from))
    .filter((line) => line.start !== undefined || line.steps.length > 0)
}

/**
 * Where to begin reading so as to know every value at `from`: at the second's begin. In a burst of more frames than this before
 * `from`, later: then a lane that did not move since shows a value up to a second old.
 */
function readFrom(db: DatabaseSync, source: ReadSource, second: number, from: number): number {
  const row = db
    .prepare(`
      SELECT received_at AS at FROM frames INDEXED BY frames_by_time
      WHERE source = ? AND received_at >= ? AND received_at < ? ORDER BY received_at DESC LIMIT 1 OFFSET 10000`)
    .get(source.key, second, from)
  return row === undefined ? second : Number(row['at'])
}

function lineOf(name: string, steps: readonly ReadStep[], held: number | undefined, from: number) {
  const [before] = steps
  let start = before === undefined ? (held === REMOVED ? undefined : held) : (before.before ?? undefined)
  for (const {at, after} of steps) if (at < from) start = after ?? undefined
  return {
    lane: name,
    ...(start === undefined ? {} : {start}),
    steps: steps
      .filter(({at}) => at >= from)
      .map(({at, frame, after}) => ({at, value: after, ...(frame === undefined ? {} : {frame})})),
  }
}

function grouped(steps: readonly ReadStep[]): ReadonlyMap<string, readonly ReadStep[]> {
  const byLane = new Map<string, ReadStep[]>()
  for (const step of steps) {
    const list = byLane.get(step.name)
    if (list === undefined) byLane.set(step.name, [step])
    else list.push(step)
  }
  return byLane
}
