import {expect} from 'vitest'
import type {Wiretap} from './wiretap.ts'

const SAID = new Set(['connection_id', 'scope', 'filter', 'start_from', 'expected_generation'])
const BEAT_SAYS = new Set(['connection_id', 'cursor', 'generation'])
const DECIMAL = /^(?:0|[1-9][0-9]*)$/

/** What must be true of everything a watcher ever asks, whatever else a test is about (Switch note, sections 2, 6 and 8). */
export function expectPassive(tap: Pick<Wiretap, 'opens' | 'beats' | 'events'>): void {
  for (const {query, headers} of tap.opens) {
    expect([...query.keys()].filter((key) => !SAID.has(key))).toEqual([])
    expect([query.get('scope'), query.get('filter')]).toEqual(['all', 'all'])
    expect(query.get('start_from')).toMatch(/^(?:head|0|[1-9][0-9]*)$/)
    expect(headers.accept).toBe('text/event-stream')
    const last = headers['last-event-id']
    if (last !== undefined) expect([last, last]).toEqual([expect.stringMatching(DECIMAL), query.get('start_from')])
  }
  for (const {body} of tap.beats) {
    expect(Object.keys(body).filter((key) => !BEAT_SAYS.has(key))).toEqual([])
    expect(Number.isSafeInteger(body['cursor'])).toBe(true)
  }
  expect(beatsBeforeIntroduction(tap)).toEqual([])
}

/** No beat is sent between starting an open and its `connection_state`. */
function beatsBeforeIntroduction({events}: Pick<Wiretap, 'events'>): readonly unknown[] {
  const introduced = new Set<unknown>()
  const early: unknown[] = []
  for (const event of events) {
    if (event.kind === 'open') introduced.delete(event.open.query.get('connection_id'))
    if (event.kind === 'introduced') introduced.add(event.open.query.get('connection_id'))
    if (event.kind === 'beat' && !introduced.has(event.beat.body['connection_id'])) early.push(event.beat.body)
  }
  return early
}
