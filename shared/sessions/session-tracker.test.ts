import {describe, expect, test} from 'vitest'
import {laneAt} from '../cursor/lane.ts'
import {classifyPrimeValue} from '../frames/classify-prime-line.ts'
import {cursor} from '../testing/cursors.ts'
import {createSessionTracker} from './session-tracker.ts'
import {
  attached,
  begin,
  chunk,
  course,
  end,
  event,
  failed,
  feed,
  hello,
  listed,
  replaced,
  resynced,
  standings,
} from './testing/prime-wire.ts'

const start = (id: string, generation: string | number, sequence: number) =>
  createSessionTracker(new Map([[id, laneAt(cursor({generation, sequence}))]]))

describe('who is who', () => {
  test('until a session is told, its active session stands for it; then all it came to moves', () => {
    const tracker = createSessionTracker()
    expect(feed(tracker, [event('g:1'), event('g:4')])).toEqual(['a g:1 first', 'a g:4 hole 2'])
    expect(tracker.sessionOf('a')).toEqual({id: 'a', told: false})
    expect(feed(tracker, [listed('s1'), event('g:5')])).toEqual(['s1 g:5 next'])
    expect(tracker.sessionOf('a')).toEqual({id: 's1', told: true})
    expect(tracker.sessions()).toMatchObject([
      {id: 's1', told: true, held: {sequence: 5}, counts: {events: 3, holes: 1, notSeen: 2}},
    ])
  })

  test('a cursor held from before applies as soon as the session is told, and lowers nothing', () => {
    const behind = start('s1', 'g', 10)
    expect(feed(behind, [event('g:4'), listed('s1'), event('g:9'), event('g:12')])).toEqual([
      'a g:4 first',
      's1 g:9 duplicate',
      's1 g:12 hole 1',
    ])
    const ahead = start('s1', 'g', 2)
    expect(feed(ahead, [event('g:4'), listed('s1'), event('g:5')])).toEqual(['a g:4 first', 's1 g:5 next'])
    const other = start('s1', 'h', 10)
    feed(other, [event('g:4'), listed('s1')])
    expect(standings(other)).toEqual(['s1 g:4 left h'])
  })

  test('a session reopened as another active session is the same one, in a new generation', () => {
    expect(
      course(attached('g:59', 's1'), event('g:60'), attached('h:0', 's1', 'b'), event('h:1', 'b'), event('g:61')),
    ).toEqual(['s1 attach g:59 adopted', 's1 g:60 next', 's1 attach h:0 newGeneration', 's1 h:1 next', 's1 g:61 stale'])
  })

  test('what only names sessions lists none', () => {
    const tracker = start('s9', 'g', 1)
    const refusal = {type: 'response', command: 'attach', success: false, error: 'Session worker is failed'}
    expect(feed(tracker, [listed('s1'), refusal, begin('g:5', 1, 's2'), {type: 'heartbeats_changed'}])).toEqual([])
    expect(tracker.sessions()).toEqual([])
  })

  test('sessions are listed by their first fact, also under the name of an active session', () => {
    const tracker = createSessionTracker()
    feed(tracker, [event('g:1', 'b'), attached('g:1', 's2'), listed('s1', 'b')])
    expect(standings(tracker)).toEqual(['s1 g:1', 's2 g:1'])
    feed(tracker, [event('g:1', 'c'), attached('g:1', 's4', 'd'), attached('g:2', 's3', 'e'), listed('s3', 'c')])
    expect(standings(tracker)).toEqual(['s1 g:1', 's2 g:1', 's3 g:2', 's4 g:1'])
  })

  test('one cursor for a session over all connections: what a second one brings again is a duplicate', () => {
    const tracker = createSessionTracker()
    feed(tracker, [attached('g:5', 's1'), event('g:6'), event('g:7')], 'one')
    expect(feed(tracker, [attached('g:6', 's1'), event('g:7'), event('g:8')], 'two')).toEqual([
      's1 attach g:6 unchanged',
      's1 g:7 duplicate',
      's1 g:8 next',
    ])
    expect(feed(tracker, [event('g:8')], 'one')).toEqual(['s1 g:8 duplicate'])
  })
})

describe('snapshots', () => {
  test('a chunked one counts once, at its end, by the cursor of its end', () => {
    expect(course(begin('g:5', 3, 's1'), chunk(0, 2), event('g:6'), chunk(1, 1), end('g:9', 2))).toEqual([
      's1 g:6 first',
      's1 attach g:9 adopted 3',
    ])
    expect(course(begin('g:5', 0, 's1'), end('g:5', 0))).toEqual(['s1 attach g:5 adopted'])
  })

  test.each([
    ['its count of chunks', [begin('g:5', 2), chunk(0, 2), end('g:5', 2)], 'chunkCount'],
    ['the order of its chunks', [begin('g:5', 2), chunk(1, 1), chunk(0, 1), end('g:5', 2)], 'chunkOrder'],
    ['a chunk that comes twice', [begin('g:5', 2), chunk(0, 1), chunk(0, 1), end('g:5', 2)], 'chunkOrder'],
    ['its count of messages', [begin('g:5', 2), chunk(0, 1), end('g:5', 1)], 'messageCount'],
    ['its cursor', [begin('g:5', 0), end('g:-1', 0)], 'cursor'],
  ])('with %s wrong it is malformed, once, and no snapshot', (_what, messages, problem) => {
    expect(course(...messages)).toEqual([problem])
  })

  test('a chunk or an end without its begin is malformed; one that failed is not, and is over', () => {
    expect(course(chunk(0, 1), end('g:5', 1))).toEqual(['noBegin', 'noBegin'])
    expect(course(failed(), begin('g:5', 1), chunk(0, 1), failed(), end('g:5', 1))).toEqual(['noBegin'])
    expect(course(begin('g:5', 0), end('g:5', 0), end('g:5', 0))).toEqual(['a attach g:5 adopted', 'noBegin'])
  })

  test('two may stream at once, the same id can come again, and a begin begins anew', () => {
    expect(
      course(
        begin('g:5', 1, 's1', 'x'),
        begin('g:6', 1, 's1', 'y'),
        chunk(0, 1, 'y'),
        chunk(0, 1, 'x'),
        end('g:5', 1, 'x'),
        end('g:6', 1, 'y'),
      ),
    ).toEqual(['s1 attach g:5 adopted', 's1 attach g:6 adopted 1'])
    expect(course(begin('g:5', 2, 's1'), chunk(0, 1), begin('g:5', 1, 's1'), chunk(0, 1), end('g:5', 1))).toEqual([
      's1 attach g:5 adopted',
    ])
  })

  test('they belong to their connection, and end with it', () => {
    const tracker = createSessionTracker()
    feed(tracker, [begin('g:5', 0)], 'one')
    expect(feed(tracker, [end('g:5', 0)], 'two')).toEqual(['noBegin'])
    expect(feed(tracker, [hello, end('g:5', 0)], 'one')).toEqual(['noBegin'])
    feed(tracker, [begin('g:5', 0)], 'one')
    tracker.close('one')
    expect(feed(tracker, [end('g:5', 0)], 'one')).toEqual(['noBegin'])
  })

  test('a resync is a snapshot and no event; without a valid cursor it is malformed', () => {
    expect(course(attached('g:5', 's1'), resynced('g:9', 's1'), event('g:10'))).toEqual([
      's1 attach g:5 adopted',
      's1 resync g:9 adopted 4',
      's1 g:10 next',
    ])
    expect(course(resynced('g:-1', 's1'))).toEqual(['cursor'])
  })
})

describe('replacements', () => {
  test('the replacement is the last event of the old session; the new one goes on from there', () => {
    const tracker = createSessionTracker()
    expect(feed(tracker, [attached('g:5', 's1'), replaced('g:6', 's2'), event('g:7')])).toEqual([
      's1 attach g:5 adopted',
      's1 g:6 next',
      's2 g:7 next',
    ])
    expect(standings(tracker)).toEqual(['s1 g:6', 's2 g:7'])
  })

  test('an inline one is also a snapshot of the new session', () => {
    expect(course(attached('g:5', 's1'), replaced('g:6', 's2', false))).toEqual([
      's1 attach g:5 adopted',
      's1 g:6 next',
      's2 replacement g:6 unchanged',
    ])
  })

  test('what was numbered up to it is of the old session on every connection, the replacement itself too', () => {
    const tracker = createSessionTracker()
    feed(tracker, [attached('g:5', 's1'), replaced('g:7', 's2'), replaced('g:9', 's3')], 'one')
    expect(
      feed(tracker, [event('g:6'), replaced('g:7', 's2'), event('g:8'), replaced('g:9', 's3'), event('g:10')], 'two'),
    ).toEqual(['s1 g:6 duplicate', 's1 g:7 duplicate', 's2 g:8 duplicate', 's2 g:9 duplicate', 's3 g:10 next'])
  })

  test('one that was caught up repeats the last number, or jumps far ahead, and replaces all the same', () => {
    expect(course(attached('g:5', 's1'), event('g:6'), replaced('g:6', 's2'), event('g:7'))).toEqual([
      's1 attach g:5 adopted',
      's1 g:6 next',
      's1 g:6 duplicate',
      's2 g:7 next',
    ])
    expect(course(attached('g:5', 's1'), replaced('g:40', 's2'), event('g:41'))).toEqual([
      's1 attach g:5 adopted',
      's1 g:40 hole 34',
      's2 g:41 next',
    ])
  })

  test('one that comes late, behind a later one, does not take the active session back', () => {
    const tracker = createSessionTracker()
    feed(tracker, [attached('g:5', 's1'), replaced('g:9', 's3')], 'one')
    expect(feed(tracker, [replaced('g:7', 's2'), event('g:10')], 'two')).toEqual(['s1 g:7 duplicate', 's3 g:10 next'])
  })

  test('a stale one replaces nothing', () => {
    expect(course(attached('g:5', 's1'), attached('h:1', 's1'), replaced('g:6', 's2'), event('h:2'))).toEqual([
      's1 attach g:5 adopted',
      's1 attach h:1 newGeneration 1',
      's1 g:6 stale',
      's1 h:2 next',
    ])
  })

  test('a snapshot from before a replacement does not take the active session back', () => {
    expect(course(attached('g:5', 's1'), replaced('g:7', 's2'), attached('g:6', 's1'), event('g:8'))).toEqual([
      's1 attach g:5 adopted',
      's1 g:7 hole 1',
      's1 attach g:6 unchanged',
      's2 g:8 next',
    ])
  })

  test('a snapshot at the number of a replacement is of the session that it names', () => {
    expect(course(attached('g:5', 's1'), replaced('g:6', 's2'), attached('g:6', 's3'), event('g:7'))).toEqual([
      's1 attach g:5 adopted',
      's1 g:6 next',
      's3 attach g:6 adopted',
      's3 g:7 next',
    ])
    expect(course(attached('g:5', 's1'), replaced('g:6', 's2'), attached('g:6', 's1'), event('g:7'))).toEqual([
      's1 attach g:5 adopted',
      's1 g:6 next',
      's1 attach g:6 unchanged',
      's2 g:7 next',
    ])
  })

  test('an inheritance lists the new session, before anything comes of it', () => {
    const tracker = createSessionTracker()
    feed(tracker, [attached('g:5', 's1'), replaced('g:6', 's2')])
    expect(standings(tracker)).toEqual(['s1 g:6', 's2 g:6'])
  })

  test('the old session may never be told, and keeps the name of its active session', () => {
    const tracker = createSessionTracker()
    feed(tracker, [event('g:1'), replaced('g:2', 's2'), event('g:3'), listed('s2')])
    expect(standings(tracker)).toEqual(['a g:2', 's2 g:3'])
    feed(tracker, [attached('g:1', 's1')])
    expect(standings(tracker)).toEqual(['s1 g:2', 's2 g:3'])
  })

  test('a session that is gone back to goes on with what it left behind', () => {
    const tracker = createSessionTracker()
    feed(tracker, [
      attached('f:1', 's1'),
      attached('g:5', 's1'),
      attached('h:3', 's2', 'b'),
      replaced('g:6', 's2'),
      replaced('g:7', 's1'),
    ])
    expect(standings(tracker)).toEqual(['s1 g:7 left f,h', 's2 g:7 left f,h'])
  })

  test('under the same session nothing changes hands', () => {
    const tracker = createSessionTracker()
    expect(feed(tracker, [attached('g:5', 's1'), replaced('g:6', 's1'), event('g:7')])).toEqual([
      's1 attach g:5 adopted',
      's1 g:6 next',
      's1 g:7 next',
    ])
    expect(standings(tracker)).toEqual(['s1 g:7'])
  })
})

describe('numbered generations', () => {
  test('a lower one is a numbering reset only as the first of its stream on an opening of a connection', () => {
    const tracker = start('s1', 6, 4)
    feed(tracker, [listed('s1')])
    expect(feed(tracker, [event('1:0'), event('1:1'), event('6:5')])).toEqual([
      's1 1:0 numberingReset',
      's1 1:1 stale',
      's1 6:5 next',
    ])
    expect(feed(tracker, [hello, event('5:0'), event('5:1')])).toEqual(['s1 5:0 numberingReset', 's1 5:1 stale'])
    expect(feed(tracker, [attached('5:2', 's1')], 'other')).toEqual(['s1 attach 5:2 numberingReset'])
    expect(tracker.sessions()).toMatchObject([
      {held: {generation: 6, sequence: 5}, counts: {events: 1, stale: 4, snapshots: 1}},
    ])
  })
})

test('a stream that changes its name does not begin anew on its connection', () => {
  expect(course(event('5:0'), listed('s1'), event('4:0'))).toEqual(['a 5:0 first', 's1 4:0 stale'])
  expect(course(event('5:0'), replaced('5:1', 's2'), event('4:0'))).toEqual([
    'a 5:0 first',
    'a 5:1 next',
    's2 4:0 stale',
  ])
})

describe('what was not understood', () => {
  test('an unknown type with a number took its number', () => {
    const novel = {...event('g:2'), type: 'novel'}
    expect(course(event('g:1'), novel, {type: 'novel'}, event('g:3'))).toEqual([
      'a g:1 first',
      'unknown',
      'a g:2 next',
      'unknown',
      'a g:3 next',
    ])
  })

  test('a malformed line moves nothing', () => {
    expect(course(event('g:1'), event('g:-2'), event('g:2'))).toEqual(['a g:1 first', 'noCursor', 'a g:2 next'])
  })

  test('names that are members of every object are names', () => {
    expect(course(attached('__proto__:1', 'constructor', '__proto__'), event('__proto__:2', '__proto__'))).toEqual([
      'constructor attach __proto__:1 adopted',
      'constructor __proto__:2 next',
    ])
  })
})

test('who is told, replaced and failed is said to whoever follows live', () => {
  const tracker = createSessionTracker()
  const facts = [
    listed('s1'),
    listed('s1'),
    replaced('g:0', 's1'),
    replaced('g:1', 's2'),
    replaced('g:1', 's2'),
    failed(),
  ].flatMap((message) => tracker.feed('c', classifyPrimeValue(message)))
  expect(facts.filter(({kind}) => kind !== 'frame')).toEqual([
    {kind: 'told', activeSession: 'a', session: 's1'},
    {kind: 'replaced', activeSession: 'a', from: {id: 's1', told: true}, to: 's2'},
    {kind: 'snapshotFailed', activeSession: 'a'},
  ])
})
