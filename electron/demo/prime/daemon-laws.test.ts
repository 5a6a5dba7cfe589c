import fc from 'fast-check'
import {expect, test} from 'vitest'
import {isJsonObject, type JsonObject} from '../../../shared/base/json.ts'
import type {PrimeAction} from './scenario.ts'
import {rig, sentTo} from './testing/daemon-rig.ts'
import {attachTo} from './testing/plain-client.ts'
import {kindOf} from './testing/watch-scenario.ts'

/** What can happen to a session that is asked and answers in a calm voice. */
const happenings = fc.constantFrom<PrimeAction | 'list' | 'attach' | 'full' | 'drained'>(
  {kind: 'rename', on: 'main', name: 'a'},
  {kind: 'status', on: 'main', recap: 'b'},
  {kind: 'prompt', on: 'main', text: 'c'},
  {kind: 'replace', on: 'main', name: 'd'},
  {kind: 'replace', on: 'main', name: 'tide tables'},
  {kind: 'drop', on: 'main', events: 2},
  'list',
  'attach',
  'full',
  'drained',
)

/** Plays what happens to a client, whose socket is full between `full` and `drained`. */
function play(happened: readonly (PrimeAction | 'list' | 'attach' | 'full' | 'drained')[], chunked: boolean) {
  const {daemon, watch, act, ask} = rig()
  const seen: JsonObject[] = [...watch(1, chunked)]
  const {activeSessionId} = daemon.namesOf('main')
  let full = false
  const drain = () => {
    full = false
    seen.push(...sentTo(1, daemon.drained(0, 1)))
  }
  for (const one of happened) {
    if (one === 'list') ask(1, {type: 'list'})
    else if (one === 'attach') seen.push(...ask(1, attachTo(activeSessionId, chunked)))
    else if (one === 'full') full = true
    else if (one === 'drained') drain()
    else
      for (const output of act(0, one)) {
        if (full && output.kind === 'event') daemon.dropped(1, activeSessionId)
        else seen.push(...sentTo(1, [output]))
      }
  }
  // What is still left out is told by the events that follow.
  act(0, {kind: 'drop', on: 'main', events: 1})
  seen.push(...sentTo(1, act(0, {kind: 'rename', on: 'main', name: 'end'})))
  drain()
  return {seen, last: daemon.namesOf('main').sequence}
}

/** The number that a client has arrived at with this message, and how. */
function arrivalOf(message: JsonObject): {readonly by: 'event' | 'state'; readonly sequence: number} | undefined {
  const {meta, snapshot, data} = message
  if (['session_replaced', 'session_resynced'].includes(kindOf(message)) && isJsonObject(meta))
    return {by: 'state', sequence: Number(meta['sequence'])}
  if (isJsonObject(meta)) return {by: 'event', sequence: Number(meta['sequence'])}
  if (isJsonObject(snapshot)) return {by: 'state', sequence: Number(snapshot['lastEventSequence'])}
  if (isJsonObject(data) && 'lastEventSequence' in data)
    return {by: 'state', sequence: Number(data['lastEventSequence'])}
  return undefined
}

test.each([true, false])(
  'every number is an event’s or under a snapshot, and none comes twice (chunked: %s)',
  (chunked) => {
    fc.assert(
      fc.property(fc.array(happenings, {maxLength: 40}), (happened) => {
        const {seen, last} = play(happened, chunked)
        let at = 0
        for (const message of seen) {
          const arrival = arrivalOf(message)
          if (arrival === undefined) continue
          if (arrival.by === 'event') expect(arrival.sequence).toBe(at + 1)
          else expect(arrival.sequence).toBeGreaterThanOrEqual(at)
          at = arrival.sequence
        }
        expect(at).toBe(last)
      }),
      {numRuns: 500},
    )
  },
)

const pieces = fc.array(
  fc.record({block: fc.constantFrom('text' as const, 'thinking' as const), text: fc.string(), listed: fc.boolean()}),
  {minLength: 1, maxLength: 30},
)

test('deltas summed by block are the message at the end, whoever lists meanwhile', () => {
  fc.assert(
    fc.property(pieces, (said) => {
      const {daemon, watch, act, ask} = rig()
      watch(1)
      daemon.connected(0, 2)
      const outputs = [...act(0, {kind: 'prompt', on: 'main', text: 'go'}, {kind: 'answer', on: 'main'})]
      for (const {block, text, listed} of said) {
        outputs.push(...act(0, {kind: 'delta', on: 'main', block, text}))
        if (listed) ask(2, {type: 'list'})
      }
      const events = sentTo(1, [...outputs, ...act(0, {kind: 'answered', on: 'main'})]).map(({event}) => event)
      const summed: string[] = []
      for (const event of events) {
        const part = isJsonObject(event) ? event['assistantMessageEvent'] : undefined
        if (!isJsonObject(part)) continue
        const index = Number(part['contentIndex'])
        summed[index] = (summed[index] ?? '') + String(part['delta'] ?? '')
        if (part['content'] !== undefined) expect(part['content']).toBe(summed[index])
      }
      const end = events.at(-1)
      const message = isJsonObject(end) ? end['message'] : undefined
      const content = isJsonObject(message) && Array.isArray(message['content']) ? message['content'] : []
      expect(content.map(({text, thinking}) => text ?? thinking)).toEqual(summed)
    }),
    {numRuns: 200},
  )
})
