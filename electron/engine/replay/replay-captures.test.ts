import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {parsePosition} from '../../../shared/position/position.ts'
import type {ReplayLine} from './replay-lines.ts'
import {type ReplayOptions, replaySwitch} from './replay-switch.ts'

/** Raw bodies as the real server modules of August 2026 wrote them. */
function capture(name: string): Uint8Array {
  return readFileSync(new URL(`../../../fixtures/switch-captures/${name}.sse`, import.meta.url))
}

async function replay(name: string, start: object, options: ReplayOptions = {}): Promise<ReplayLine[]> {
  const position = parsePosition(start) ?? new Map()
  const lines: ReplayLine[] = []
  for await (const line of replaySwitch([capture(name)], {...options, start: position})) lines.push(line)
  return lines
}

const own = (line: ReplayLine): number | undefined => line.position['s']
const through = (from: number, to: number): number[] => Array.from({length: to - from + 1}, (_, n) => from + n)

const NOTHING = undefined
/** Worked out from the bytes: `s` after each frame, the introduction of the connection being the first. */
const captures: ReadonlyArray<readonly [name: string, start: object, own: readonly (number | undefined)[]]> = [
  ['normal.1', {s: 2}, through(2, 11)],
  ['catchup.1', {s: 1}, [1, 2, 3, 4]],
  ['reconnect_resume.1', {}, [NOTHING, 1, 2]],
  ['reconnect_resume.2', {s: 2}, [2, 3, 4]],
  ['keepalive.1', {}, [NOTHING, 1]],
  ['gap_overflow_open.1', {s: 1}, [1, 5, 6, 7, 8, 9, 10]],
  ['gap_restart.1', {}, [NOTHING, ...through(1, 18)]],
  ['gap_restart.2', {s: 18}, [18, 3, 4, 5]],
  ['gap_restart.3', {s: 18}, [18, 5]],
  ['evict_takeover.1', {}, [NOTHING, 1, 1]],
  ['evict_takeover.2', {s: 1}, [1, 2, 2]],
  ['evict_takeover.3', {s: 1}, [1, 2, 3]],
  ['heartbeat_lapse.1', {}, [NOTHING, 1, 1]],
  ['heartbeat_lapse.2', {s: 1}, [1, 2]],
  ['subscription_changed.1', {}, [NOTHING, NOTHING, 2]],
  ['subscription_changed.2', {}, [NOTHING, 1]],
  ['subscription_changed.3', {s: 2}, [2]],
]

describe.each(captures)('%s', (name, start, expected) => {
  test('comes to the positions its bytes say', async () => {
    const lines = await replay(name, start)
    expect(lines.slice(0, -1).map(own)).toEqual(expected)
    expect(lines.at(-1)).toMatchObject({fact: 'end', frames: expected.length, malformed: 0, rejected: 0})
    expect(own(lines.at(-1) ?? lines[0] ?? never())).toBe(expected.at(-1))
  })

  test('prints the same lines for every chunking', async () => {
    const whole = await replay(name, start)
    for (const chunks of [[1], [1, 2, 7, 3, 11], [100], [4096]])
      expect(await replay(name, start, {chunks})).toEqual(whole)
  })
})

function never(): never {
  throw new Error('a replay ends with its end line')
}

test('a restart that the server tells takes the position back, and its own events go on from there', async () => {
  const reason =
    'the server restarted since your last connection; sequence numbers have been reset and events from before the restart are gone — re-read room context'
  expect(await replay('gap_restart.2', {s: 18})).toEqual([
    {fact: 'frame', n: 1, event: 'connection_state', outcome: 'control', position: {s: 18}},
    {
      fact: 'gap',
      n: 2,
      outcome: 'ownReplaced',
      said: {from: 3, resumedAt: 3, reason},
      before: {s: 18},
      position: {s: 3},
      cursorReset: true,
      wentBack: ['s'],
    },
    {fact: 'frame', n: 3, event: 'message', outcome: 'handled', attempt: 1, cause: 'handled', position: {s: 4}},
    {fact: 'frame', n: 4, event: 'message', outcome: 'handled', attempt: 1, cause: 'handled', position: {s: 5}},
    {
      fact: 'end',
      position: {s: 5},
      frames: 4,
      handled: 2,
      rejected: 0,
      discarded: 0,
      malformed: 0,
      control: 1,
      gaps: 1,
    },
  ])
})

test('an overflow of the buffer is a gap forward', async () => {
  const [, gap, ...rest] = await replay('gap_overflow_open.1', {s: 1})
  expect(gap).toMatchObject({outcome: 'ownReplaced', before: {s: 1}, position: {s: 5}, cursorReset: false})
  expect(gap).not.toHaveProperty('wentBack')
  expect(rest.at(-1)).toMatchObject({position: {s: 10}, handled: 5, gaps: 1, control: 1})
})

test('rooms that are held stay through a gap of an older server', async () => {
  const lines = await replay('gap_restart.2', {s: 18, 'r:room-a': 43})
  expect(lines.at(-1)?.position).toEqual({s: 5, 'r:room-a': 43})
})
