import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {type Held, nothingHeld} from '../../../shared/callbacks/held.ts'
import {settlementOf} from '../../../shared/callbacks/settlement.ts'
import {classifySwitchFrame} from '../../../shared/frames/classify-switch-frame.ts'
import type {GapNotice, SwitchFrame} from '../../../shared/frames/frame.ts'
import type {RawFrame} from '../../../shared/frames/raw-frame.ts'
import type {GapPlan} from '../../../shared/position/gap-plan.ts'
import {applyUpdate, type Position, parsePosition, positionToJson} from '../../../shared/position/position.ts'
import {chunkBytes} from '../replay/chunk-bytes.ts'
import {createSseReader} from './sse-reader.ts'

interface Vector {
  readonly n: string
  readonly title: string
  readonly start: object
  readonly onEvent: Mode
  readonly onGap: Mode
  readonly sse: readonly string[]
  readonly expect: {
    readonly position?: object
    readonly positionJson?: string
    /** Visible while a callback runs, whatever it then does. */
    readonly during?: object
    /** After each frame. */
    readonly after?: readonly object[]
    readonly events?: number
    readonly unknown?: number
    readonly gaps?: readonly object[]
    readonly errors?: readonly string[]
    readonly wentBack?: readonly string[]
    readonly removed?: readonly string[]
  }
}
type Mode = 'ok' | 'pend-then-ok' | 'throw' | 'throw-once'

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/switch-vectors.json', import.meta.url), 'utf8'),
)

interface Course {
  held: Held
  readonly during: object[]
  readonly after: object[]
  events: number
  unknown: number
  readonly gaps: object[]
  readonly errors: string[]
  readonly plans: GapPlan[]
}

/** The rules as a plain fold: what a source with these callbacks would come to. */
function follow(vector: Vector, raws: readonly RawFrame[]): Course {
  const held = {...nothingHeld(), position: at(vector.start)}
  const course: Course = {held, during: [], after: [], events: 0, unknown: 0, gaps: [], errors: [], plans: []}
  for (const raw of raws) {
    const frame = classifySwitchFrame(raw)
    if (frame.ok) settle(course, frame.value, vector)
    else course.errors.push(frame.error.kind === 'notJson' ? 'json' : 'malformed')
    course.after.push(positionToJson(course.held.position))
  }
  return course
}

function settle(course: Course, frame: SwitchFrame, vector: Vector): void {
  const {vectorSeen, gap} = settlementOf(course.held, frame)
  const before = course.held
  course.held = {...before, vectorSeen}
  if (frame.kind === 'control') return
  if (frame.kind === 'unknown') course.unknown += 1
  if (gap !== undefined) course.plans.push(gap)
  if (frame.kind !== 'unknown' && !resolves(course, frame, vector)) return
  course.held = {...before, position: applyUpdate(before.position, before.vectorSeen, frame.update), vectorSeen}
}

/** Runs the callback, which sees the old position. */
function resolves(course: Course, frame: SwitchFrame, {onEvent, onGap}: Vector): boolean {
  course.during.push(positionToJson(course.held.position))
  const mode = frame.kind === 'gap' ? onGap : onEvent
  if (frame.kind === 'gap') course.gaps.push(toldOf(frame.said, course.plans.at(-1)))
  else course.events += 1
  const throws = mode === 'throw' || (mode === 'throw-once' && course.during.length === 1)
  if (throws) course.errors.push('callback')
  return !throws
}

function toldOf({from, resumedAt, rooms, allRooms, reason}: GapNotice, plan: GapPlan | undefined): object {
  const told = {fromSequence: from, resumedAt, rooms, allRooms, reason, cursorReset: plan?.cursorReset}
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

function at(position: object): Position {
  return parsePosition(position) ?? new Map()
}

function framesIn(body: string, sizes: readonly number[]): RawFrame[] {
  const reader = createSseReader()
  return chunkBytes(Buffer.from(body), sizes)
    .flatMap((chunk) => reader.feed(chunk))
    .flatMap((arrival) => (arrival.kind === 'frame' ? [arrival.frame] : []))
}

const ways: ReadonlyArray<readonly [name: string, sizes: readonly number[], between: string]> = [
  ['whole', [Number.MAX_SAFE_INTEGER], ''],
  ['in pieces of 1, 2, 7, 3, 11, with keepalives between', [1, 2, 7, 3, 11], ': keepalive\n\n'],
  ['byte by byte, with keepalives between', [1], ': keepalive\n\n'],
]

test('there are 57 vectors', () => expect(vectors).toHaveLength(57))

describe.each(ways)('fed %s', (_name, sizes, between) => {
  test.each(vectors.map((vector) => [vector.n, vector.title, vector] as const))('%s: %s', (_n, _title, vector) => {
    const course = follow(vector, framesIn(between + vector.sse.join(between) + between, sizes))
    const {position, positionJson, during, after, events, unknown, gaps, errors, wentBack, removed} = vector.expect
    if (position !== undefined) expect(positionToJson(course.held.position)).toEqual(position)
    if (positionJson !== undefined) expect(JSON.stringify(positionToJson(course.held.position))).toBe(positionJson)
    if (during !== undefined) expect(course.during[0]).toEqual(during)
    if (after !== undefined) expect(course.after).toEqual(after)
    if (events !== undefined) expect(course.events).toBe(events)
    if (gaps !== undefined) expect(course.gaps).toEqual(gaps)
    if (wentBack !== undefined) expect(course.plans[0]?.wentBack).toEqual(wentBack)
    if (removed !== undefined) expect(course.plans[0]?.removed).toEqual(removed)
    expect(course.errors).toEqual(errors ?? [])
    expect(course.unknown).toBe(unknown ?? 0)
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
