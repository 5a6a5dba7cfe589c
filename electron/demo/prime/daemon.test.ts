import {expect, test} from 'vitest'
import {captured} from './testing/captures.ts'
import {rig, STILL, sentTo} from './testing/daemon-rig.ts'
import {kindOf, sequenceOf} from './testing/watch-scenario.ts'

const kinds = (messages: readonly Parameters<typeof kindOf>[0][]) => messages.map(kindOf)

test('refuses and answers word for word as the real daemon did', () => {
  const {daemon} = rig({...STILL, sessions: []})
  const records = captured('01')
  daemon.connected(0, 1)
  const answers = records
    .filter(({dir}) => dir === 'out')
    .flatMap(({line}) => sentTo(1, daemon.received(0, 1, line)).map((answer) => JSON.stringify(answer)))
  // The first line of the capture is the hello.
  expect(answers).toEqual(
    records
      .filter(({dir}) => dir === 'in')
      .slice(1)
      .map(({line}) => line),
  )
  expect(answers).toHaveLength(12)
})

test.each([
  ['stale', {generation: 'g', sequence: 3}],
  ['future', {sequence: 4_000}],
  ['malformed', {nope: true}],
])('an attach with a %s cursor is complete, and replays nothing', (_name, resumeCursor) => {
  const {watch} = rig()
  const [response, ...snapshot] = watch(1, true, {resumeCursor})
  expect(response).toMatchObject({success: true, data: {replay: {status: 'complete', toSequence: 0}}})
  expect(response?.['data']).not.toHaveProperty('replay.fromCursor')
  expect(kinds(snapshot)).toEqual(['session_snapshot_begin', 'session_snapshot_chunk', 'session_snapshot_end'])
})

test('an attach without chunks has the transcript in its response', () => {
  const {watch} = rig()
  const answer = watch(1, false)
  expect(answer).toHaveLength(1)
  expect(answer[0]).toMatchObject({data: {snapshot: {messages: [{role: 'user'}, {}, {}, {role: 'assistant'}]}}})
  expect(answer[0]?.['data']).not.toHaveProperty('snapshotStream')
})

test('a session is found by its id, its name and the end of its active id; two are ambiguous, none is unknown', () => {
  const twins = [
    {...STILL.sessions[0], key: 'main', name: 'twin', cwd: '/'},
    {key: 'b', name: 'twin', cwd: '/'},
  ]
  const {daemon, ask} = rig({...STILL, sessions: twins})
  daemon.connected(0, 1)
  const {activeSessionId, sessionId} = daemon.namesOf('main')
  for (const selector of [activeSessionId, sessionId, activeSessionId.slice(-6)])
    expect(ask(1, {type: 'get_state', activeSessionId: selector})[0]).toMatchObject({data: {activeSessionId}})
  expect(ask(1, {type: 'get_state', activeSessionId: 'twin'})[0]).toMatchObject({
    error: 'Ambiguous active session: twin',
  })
  expect(ask(1, {type: 'get_state', activeSessionId: 'nope'})[0]).toMatchObject({error: 'Unknown active session: nope'})
})

test('events count up from 1, with the generation of the worker, for whoever is attached', () => {
  const {daemon, watch, act} = rig()
  watch(1)
  daemon.connected(0, 2)
  const outputs = act(5, {kind: 'rename', on: 'main', name: 'a'}, {kind: 'status', on: 'main', recap: 'b'})
  const {activeSessionId, generation} = daemon.namesOf('main')
  expect(sentTo(1, outputs)).toEqual([
    {
      type: 'session_event',
      activeSessionId,
      event: {type: 'session_info_changed', name: 'a'},
      meta: {
        id: `${activeSessionId}:1`,
        protocol: {name: 'prime-agent.daemon', version: 7},
        activeSessionId,
        sequence: 1,
        cursor: {generation, sequence: 1},
        emittedAt: '2026-11-30T00:53:20.005Z',
      },
    },
    expect.objectContaining({type: 'session_status', recap: 'b', meta: expect.objectContaining({sequence: 2})}),
  ])
  expect(sentTo(2, outputs)).toEqual([])
})

test('a crash says nothing; the row freezes, recovers in vain and has failed', () => {
  const {daemon, watch, act, row, ask} = rig()
  watch(1)
  act(0, {kind: 'prompt', on: 'main', text: 'count'}, {kind: 'answer', on: 'main'})
  act(0, {kind: 'delta', on: 'main', block: 'text', text: 'one '})
  const {activeSessionId} = daemon.namesOf('main')
  const before = row(1)
  expect(before).toMatchObject({isStreaming: true, workerState: 'ready', attachedClients: 1})
  expect(act(0, {kind: 'crash', on: 'main'})).toEqual([])
  expect(row(1)).toEqual({...before, workerState: 'recovering'})
  expect(ask(1, {type: 'attach', activeSessionId})[0]).toMatchObject({error: 'Session worker is recovering'})
  expect(daemon.tick(400)).toEqual([])
  expect(row(1, 400)).toEqual({...before, workerState: 'failed'})
  for (const type of ['attach', 'get_state'])
    expect(ask(1, {type, activeSessionId}, 400)[0]).toMatchObject({
      command: type,
      success: false,
      error: 'Session worker is failed',
    })
})

test('reopened, it is the same session under another active id, in another generation, from 1', () => {
  const {daemon, watch, act, ask} = rig()
  watch(1)
  act(0, {kind: 'rename', on: 'main', name: 'a'}, {kind: 'crash', on: 'main'})
  daemon.tick(400)
  const before = daemon.namesOf('main')
  expect(sentTo(1, act(900, {kind: 'reopen', on: 'main'}))).toEqual([{type: 'heartbeats_changed'}])
  const after = daemon.namesOf('main')
  expect(after).toMatchObject({sessionId: before.sessionId, sequence: 0})
  expect(after.activeSessionId).not.toBe(before.activeSessionId)
  expect(after.generation).not.toBe(before.generation)
  // Attached to what is no more, it hears nothing until it attaches anew.
  expect(sentTo(1, act(900, {kind: 'rename', on: 'main', name: 'b'}))).toEqual([])
  ask(1, {type: 'attach', activeSessionId: after.activeSessionId})
  expect(sentTo(1, act(900, {kind: 'rename', on: 'main', name: 'c'})).map(sequenceOf)).toEqual([2])
})

test('a replacement keeps active id, generation and numbers, and is told twice to who takes chunks', () => {
  const {daemon, watch, act} = rig()
  watch(1)
  watch(2, false)
  const before = daemon.namesOf('main')
  const outputs = act(0, {kind: 'rename', on: 'main', name: 'a'}, {kind: 'replace', on: 'main', name: 'b'})
  const after = daemon.namesOf('main')
  expect(after).toEqual({...before, sessionId: after.sessionId, sequence: 2})
  expect(after.sessionId).not.toBe(before.sessionId)
  const chunked = sentTo(1, outputs).slice(1)
  expect(kinds(chunked)).toEqual([
    'session_replaced',
    'session_replaced',
    'session_snapshot_begin',
    'session_snapshot_end',
  ])
  expect(chunked[0]).toEqual(chunked[1])
  expect(chunked[0]).toMatchObject({snapshotFollows: true, messages: [], state: {sessionId: after.sessionId}})
  expect(chunked[2]).toMatchObject({purpose: 'replacement'})
  expect(sentTo(2, outputs).slice(1)).toMatchObject([{type: 'session_replaced', messages: [], meta: {sequence: 2}}])
  expect(sentTo(2, outputs)[1]).not.toHaveProperty('snapshotFollows')
})

test('replaced back, it is the session that was there before, with its transcript', () => {
  const {daemon, watch, act} = rig()
  watch(1, false)
  const before = daemon.namesOf('main')
  act(0, {kind: 'replace', on: 'main', name: 'storm log'})
  const [line] = sentTo(1, act(0, {kind: 'replace', on: 'main', name: 'tide tables'}))
  expect(daemon.namesOf('main').sessionId).toBe(before.sessionId)
  expect(line).toMatchObject({state: {sessionId: before.sessionId}, messages: [{role: 'user'}, {}, {}, {}]})
})

test.each([
  [true, ['session_snapshot_begin', 'session_snapshot_chunk', 'session_snapshot_end']],
  [false, ['session_resynced']],
])('what was left out is told by a snapshot with the last number (chunked: %s)', (chunked, expected) => {
  const {watch, act} = rig()
  watch(1, chunked)
  const rename = {kind: 'rename', on: 'main', name: 'a'} as const
  const outputs = act(0, rename, {kind: 'drop', on: 'main', events: 3}, rename, rename, rename, rename)
  const [first, ...rest] = sentTo(1, outputs)
  expect(sequenceOf(first)).toBe(1)
  expect(kinds(rest)).toEqual([...expected, 'session_info_changed'])
  expect(sequenceOf(rest.at(-1))).toBe(5)
  expect(JSON.stringify(rest[0])).toContain('"lastEventSequence":4')
})

test('a full socket loses events, and is told once it has drained', () => {
  const {daemon, watch, act} = rig()
  watch(1)
  act(0, {kind: 'rename', on: 'main', name: 'a'})
  const {activeSessionId} = daemon.namesOf('main')
  daemon.dropped(1, activeSessionId)
  expect(daemon.status().caughtUp).toBe(false)
  expect(sentTo(1, daemon.drained(1, 1))[0]).toMatchObject({purpose: 'resync', snapshot: {lastEventSequence: 1}})
  expect(daemon.drained(2, 1)).toEqual([])
})

test('a replacement among what was left out is told as one', () => {
  const {watch, act} = rig()
  watch(1)
  const rename = {kind: 'rename', on: 'main', name: 'a'} as const
  const outputs = act(0, {kind: 'drop', on: 'main', events: 1}, {kind: 'replace', on: 'main', name: 'b'}, rename)
  expect(kinds(sentTo(1, outputs))).toEqual(['session_replaced', 'session_snapshot_begin', 'session_snapshot_end'])
  expect(sequenceOf(sentTo(1, outputs)[0])).toBe(2)
})

test('a question is for who claims dialogs, and a hole for everybody else', () => {
  const {watch, act} = rig()
  watch(1)
  watch(2, true, {capabilities: ['extension_ui']})
  const outputs = act(0, {kind: 'askUser', on: 'main', title: 'Write?'}, {kind: 'rename', on: 'main', name: 'a'})
  expect(sentTo(1, outputs).map(sequenceOf)).toEqual([2])
  expect(sentTo(2, outputs).map(sequenceOf)).toEqual([1, 2])
})

test('what a client owns is in no list, and unknown to an attach', () => {
  const {daemon, ask} = rig({...STILL, sessions: [{key: 'main', name: 'own', cwd: '/', owned: true}]})
  daemon.connected(0, 1)
  expect(ask(1, {type: 'list'})[0]).toMatchObject({data: {sessions: []}})
  expect(ask(1, {type: 'list', includeClientOwned: true})[0]).toMatchObject({data: {busyClientOwnedSessionCount: 1}})
  const {activeSessionId} = daemon.namesOf('main')
  expect(ask(1, {type: 'attach', activeSessionId})[0]).toMatchObject({
    error: `Unknown active session: ${activeSessionId}`,
  })
})

test('attached clients are counted, and a detach says so before it answers', () => {
  const {watch, act, row, ask, daemon} = rig()
  watch(1)
  watch(2)
  act(0, {kind: 'others', on: 'main', count: 1})
  expect(row(1)).toMatchObject({attachedClients: 3})
  expect(kinds(ask(1, {type: 'detach'}))).toEqual(['session_detached', 'response'])
  expect(row(1)).toMatchObject({attachedClients: 2})
  expect(kinds(ask(1, {type: 'detach', activeSessionId: 'nope'}))).toEqual(['response'])
  daemon.closed(0, 2)
  expect(row(1)).toMatchObject({attachedClients: 1})
})

test('a list makes the shown message fall behind until the block ends; the deltas stay right', () => {
  const {watch, act, row} = rig()
  watch(1)
  const say = (text: string) => ({kind: 'delta', on: 'main', block: 'text', text}) as const
  act(0, {kind: 'prompt', on: 'main', text: 'count'}, {kind: 'answer', on: 'main'}, say('one '), say('two '))
  row(1)
  const [update] = sentTo(1, act(0, say('three')))
  expect(update).toMatchObject({
    event: {message: {content: [{text: 'one three'}]}, assistantMessageEvent: {type: 'text_delta', delta: 'three'}},
  })
  const [end, whole] = sentTo(1, act(0, {kind: 'answered', on: 'main'}))
  expect(end).toMatchObject({event: {assistantMessageEvent: {type: 'text_end', content: 'one two three'}}})
  expect(whole).toMatchObject({event: {type: 'message_end', message: {content: [{text: 'one two three'}]}}})
})

test('attached in the middle of an answer, a client finds its text in the summary, and no start', () => {
  const {watch, act} = rig()
  const say = {kind: 'delta', on: 'main', block: 'text', text: 'one '} as const
  act(0, {kind: 'prompt', on: 'main', text: 'count'}, {kind: 'answer', on: 'main'}, say)
  const [response] = watch(1)
  expect(response).toMatchObject({
    data: {snapshot: {summary: {isStreaming: true, streamingMessage: {content: [{text: 'one '}]}}}},
  })
  expect(kinds(sentTo(1, act(0, say)))).toEqual(['message_update'])
})

test('a new supervisor: goodbye, the end, a late hello behind a heartbeat; the session goes on meanwhile', () => {
  const {daemon, watch, act} = rig()
  watch(1)
  const before = daemon.namesOf('main')
  const outputs = act(0, {kind: 'supervisor', end: 'update', downMs: 1_000, helloMs: 500})
  expect(sentTo(1, outputs)).toEqual([{type: 'daemon_closing', reason: 'update'}])
  expect(outputs.slice(1)).toEqual([
    {kind: 'end', connection: 1},
    {kind: 'unlisten', stale: false},
  ])
  act(500, {kind: 'rename', on: 'main', name: 'meanwhile'})
  expect(daemon.tick(1_000)).toEqual([{kind: 'listen'}])
  expect(daemon.connected(1_100, 2)).toEqual([])
  expect(kinds(sentTo(2, daemon.tick(1_500)))).toEqual(['heartbeats_changed', 'daemon_hello'])
  expect(daemon.namesOf('main')).toEqual({...before, sequence: 1})
  expect(kinds(sentTo(3, daemon.connected(1_600, 3)))).toEqual(['daemon_hello'])
})

test('the supervisor’s generation changes with the process and only then', () => {
  const {daemon, act} = rig()
  const generation = (now: number, connection: number) =>
    sentTo(connection, daemon.connected(now, connection))[0]?.['supervisorGeneration']
  const first = generation(0, 1)
  expect(generation(0, 2)).toBe(first)
  act(0, {kind: 'supervisor', end: 'killed', downMs: 10, helloMs: 0})
  daemon.tick(10)
  expect(generation(10, 3)).not.toBe(first)
})

test('a shutdown says closing, the sessions say killed, and then it is gone', () => {
  const {watch, act} = rig()
  watch(1)
  const outputs = act(0, {kind: 'shutdown'})
  expect(sentTo(1, outputs)).toMatchObject([
    {type: 'daemon_closing', reason: 'shutdown'},
    {type: 'session_closed', reason: 'killed', meta: {sequence: 1}},
  ])
  expect(outputs.slice(-2)).toEqual([
    {kind: 'end', connection: 1},
    {kind: 'unlisten', stale: false},
  ])
})

test('a cut line ends at its byte, and the connection with it', () => {
  const {watch, act} = rig()
  watch(1)
  const outputs = act(0, {kind: 'cut', atByte: 7}, {kind: 'rename', on: 'main', name: 'a'})
  expect(outputs).toEqual([
    {kind: 'write', connection: 1, text: Buffer.from('{"type"')},
    {kind: 'end', connection: 1},
  ])
  expect(act(0, {kind: 'rename', on: 'main', name: 'b'})).toEqual([])
})

test('a cut can wait for a line', () => {
  const {watch, act} = rig()
  watch(1)
  const rename = {kind: 'rename', on: 'main', name: 'a'} as const
  const outputs = act(0, {kind: 'cut', atByte: 0, lines: 2}, rename, rename, rename)
  expect(outputs.map(({kind}) => kind)).toEqual(['event', 'event', 'write', 'end'])
})

test('keeps what clients sent, to the last field', () => {
  const {daemon, watch} = rig()
  watch(1)
  daemon.received(3, 1, 'not json')
  daemon.closed(4, 1)
  expect(daemon.record()).toMatchObject([
    {kind: 'connected', connection: 1},
    {kind: 'greeted', connection: 1},
    {
      kind: 'sent',
      command: 'attach',
      envelopeFields: ['type', 'id', 'protocol', 'command'],
      commandFields: ['type', 'activeSessionId', 'capabilities', 'supportsExtensionUi', 'env'],
    },
    {kind: 'sent', at: 3, line: 'not json', command: undefined},
    {kind: 'closed', at: 4, by: 'client'},
  ])
})
