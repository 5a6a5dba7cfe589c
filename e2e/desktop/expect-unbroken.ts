import {expect} from '@playwright/test'
import {ask} from '../ask.ts'
import type {RunningApp} from '../running-app.ts'

/** The acknowledged position of the only source. */
export async function heldPosition(app: RunningApp): Promise<ReadonlyMap<string, number>> {
  const listed = await ask(app, 'sources.list', {})
  if (!listed.ok) throw new Error(JSON.stringify(listed.error))
  return new Map(listed.value[0]?.position)
}

/**
 * Nothing was lost and nothing handled twice: what was handled of the only source took its own events from one number to the
 * next, up to what is acknowledged, and no gap was declared.
 */
export async function expectUnbroken(app: RunningApp): Promise<void> {
  const page = await ask(app, 'frames.page', {filter: {outcomes: ['handled']}, limit: 500})
  if (!page.ok) throw new Error(JSON.stringify(page.error))
  const own = page.value.frames.flatMap(({steps = []}) => steps.filter(([coordinate]) => coordinate === 's')).reverse()
  expect(own.length).toBeGreaterThan(5)
  expect(own.map(([, before]) => before)).toEqual([null, ...own.slice(0, -1).map(([, , after]) => after)])
  expect(own.map(([, , after]) => after)).toEqual(own.map((_step, index) => index + 1))
  expect((await heldPosition(app)).get('s')).toBeGreaterThanOrEqual(own.length)
  expect(await ask(app, 'gaps.list', {limit: 10})).toMatchObject({ok: true, value: {gaps: []}})
}

/** Behind what was acknowledged no position may fall. */
export function expectNotBehind(held: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): void {
  for (const [coordinate, value] of before) expect(held.get(coordinate), coordinate).toBeGreaterThanOrEqual(value)
}

/** How the connections of the only source ended that were open before this process. */
export async function earlierEndings(app: RunningApp): Promise<readonly string[]> {
  const listed = await ask(app, 'sources.list', {})
  const source = listed.ok ? (listed.value[0]?.id ?? '') : ''
  const info = await ask(app, 'app.info', {})
  const to = info.ok ? info.value.now : 0
  const range = await ask(app, 'timeline.range', {source, from: to - 600_000, to, columns: 1_000})
  if (!range.ok) throw new Error(JSON.stringify(range.error))
  return range.value.connections.flatMap(({state, because}) =>
    state === 'stopped' && because !== undefined ? [because.kind] : [],
  )
}
