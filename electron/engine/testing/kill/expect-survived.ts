import {expect} from 'vitest'
import {positionToJson} from '../../../../shared/position/position.ts'
import type {KeptProfile} from './check-profile.ts'
import type {Effect, Passed} from './point.ts'

/** What earlier lives said to be durable. Grows from death to death. */
export interface Promised {
  /** By id, the frame that was journaled under it. */
  readonly journaled: Map<number, string>
  readonly settled: Set<string>
}

export function createPromised(): Promised {
  return {journaled: new Map(), settled: new Set()}
}

export function notePromises(promised: Promised, passed: readonly Passed[]): void {
  for (const {point, frames, ids = []} of passed) {
    if (point === 'journaled' || point === 'settled')
      for (const [n, id] of ids.entries()) promised.journaled.set(id, frames[n] ?? '')
    if (point === 'settled') for (const frame of frames) promised.settled.add(frame)
  }
}

/** After every death: nothing that was promised is gone, nothing is passed, and the cursor is where its moves lead. */
export function expectSurvived(
  kept: KeptProfile,
  effects: readonly Effect[],
  promised: Promised,
  callbacks: boolean,
): void {
  expect(positionToJson(kept.source?.position ?? new Map())).toEqual(kept.folded)
  const names = new Map(kept.frames.map(({id, name}) => [id, name]))
  expect([...promised.journaled].filter(([id, name]) => names.get(id) !== name)).toEqual([])
  const handled = new Set(kept.frames.filter(({outcome}) => outcome !== 'pending').map(({name}) => name))
  expect([...promised.settled].filter((name) => !handled.has(name))).toEqual([])
  expect(passedOver(kept)).toEqual([])
  if (callbacks) expectEffects(kept, effects)
}

/** What waits is younger than everything that ever moved the cursor. */
function passedOver({moved, source}: KeptProfile): readonly number[] {
  const last = Math.max(0, ...moved)
  return (source?.unhandled ?? []).map(({frame}) => Number(frame.id)).filter((id) => id <= last)
}

function expectEffects({frames}: KeptProfile, effects: readonly Effect[]): void {
  const attempts = Map.groupBy(effects, ({frame}) => frame)
  const called = frames.filter(({kind, outcome}) => (kind === 'event' || kind === 'gap') && outcome === 'handled')
  expect(called.filter(({name}) => !attempts.has(name)).map(({name}) => name)).toEqual([])
  // The second effect of a frame says that it is one: its attempts grow.
  const repeated = [...attempts.values()].filter((runs) =>
    runs.some(({attempt}, n) => attempt <= (n === 0 ? 0 : (runs[n - 1]?.attempt ?? 0))),
  )
  expect(repeated).toEqual([])
}
