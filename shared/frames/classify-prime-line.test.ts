import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {classifyPrimeLine} from './classify-prime-line.ts'

const said = (message: unknown) => classifyPrimeLine(JSON.stringify(message))
const meta = {
  id: 'a1:7',
  activeSessionId: 'a1',
  sequence: 7,
  cursor: {generation: 'g', sequence: 7},
  emittedAt: '2026-11-30T15:41:10.441Z',
}

describe('what is no message', () => {
  test.each(['', ' ', '\t', '\r'])('%j is blank', (text) => expect(classifyPrimeLine(text)).toEqual({kind: 'blank'}))

  test.each(['{', 'x', '{"type":"response"}{}', '\uFEFF{}', "{'type':1}"])('%j is no JSON', (text) => {
    expect(classifyPrimeLine(text)).toMatchObject({kind: 'malformed', problem: {kind: 'notJson'}})
  })

  test('why a line does not parse is told without a word of it: it may hold a token', () => {
    const secret = '{"type":"daemon_hello","supervisorOwnerToken":"s3cret"'
    expect(JSON.stringify(classifyPrimeLine(secret))).not.toContain('s3cret')
    expect(JSON.stringify(classifyPrimeLine(`${secret}}`))).not.toContain('s3cret')
  })

  test.each(['5', 'null', '[]', '"x"', 'true'])('%s is no object', (text) => {
    expect(classifyPrimeLine(text)).toEqual({kind: 'malformed', problem: {kind: 'notAnObject'}})
  })
})

describe('events that take a number', () => {
  test('carry it in meta, with their active session and their time', () => {
    const message = {type: 'session_event', activeSessionId: 'a1', event: {type: 'agent_start'}, meta}
    expect(said(message)).toEqual({
      kind: 'sequenced',
      type: 'session_event',
      activeSession: 'a1',
      cursor: {generation: 'g', sequence: 7},
      event: 'agent_start',
      emittedAt: meta.emittedAt,
      data: message,
    })
  })

  test.each(['session_status', 'session_closed', 'extension_ui_request', 'extension_error'])('%s is one', (type) => {
    expect(said({type, activeSessionId: 'a1', event: {type: 'x'}, meta})).not.toHaveProperty('event')
    expect(said({type, activeSessionId: 'a1', meta})).toMatchObject({kind: 'sequenced', type})
  })

  test('are malformed without a valid cursor, and without an active session', () => {
    const event = {type: 'session_event', activeSessionId: 'a1'}
    for (const bad of [undefined, null, 5, {}, {cursor: null}, {cursor: {generation: '', sequence: 1}}, {sequence: 7}])
      expect(said({...event, meta: bad})).toMatchObject({problem: {kind: 'noCursor', type: 'session_event'}})
    expect(said({...event, sequence: 7, cursor: meta.cursor})).toMatchObject({problem: {kind: 'noCursor'}})
    expect(said({type: 'session_event', meta: {cursor: meta.cursor}})).toMatchObject({
      problem: {kind: 'noActiveSession'},
    })
    expect(said({type: 'session_event', meta})).toMatchObject({kind: 'sequenced', activeSession: 'a1'})
  })

  test('a replacement names the new session, and says whether a snapshot follows', () => {
    const message = {type: 'session_replaced', activeSessionId: 'a1', state: {sessionId: 's2'}, messages: [], meta}
    expect(said(message)).toMatchObject({kind: 'replaced', session: 's2', inline: true})
    expect(said({...message, snapshotFollows: true})).toMatchObject({inline: false})
    expect(said({...message, snapshotFollows: false})).toMatchObject({inline: true})
    expect(said({...message, state: {}})).not.toHaveProperty('session')
    expect(said({...message, meta: {}})).toMatchObject({problem: {kind: 'noCursor', type: 'session_replaced'}})
  })
})

describe('snapshots', () => {
  test('a resync goes by its own cursor, and by that of the message only where it says none', () => {
    const message = {type: 'session_resynced', activeSessionId: 'a1', meta}
    const of = (snapshot: object) => said({...message, snapshot})
    expect(of({lastEventCursor: {generation: 'g', sequence: 9}})).toMatchObject({cursor: {sequence: 9}})
    expect(of({})).toMatchObject({cursor: {sequence: 7}})
    expect(of({lastEventCursor: {generation: 'g'}})).not.toHaveProperty('cursor')
  })

  test('a snapshot is of the session in its state, else of the one in its summary', () => {
    const of = (snapshot: object) =>
      said({
        type: 'session_snapshot_begin',
        activeSessionId: 'a1',
        snapshotId: 'x',
        messageCount: 3,
        purpose: 'attach',
        snapshot,
      })
    expect(of({state: {sessionId: 's1'}, summary: {sessionId: 's2'}})).toMatchObject({session: 's1'})
    expect(of({state: {}, summary: {sessionId: 's2'}})).toMatchObject({
      session: 's2',
      messageCount: 3,
      purpose: 'attach',
    })
    expect(of({state: {sessionId: 5}})).not.toHaveProperty('session')
  })

  test('an attach is inline exactly where no stream of chunks is announced', () => {
    const data = {
      activeSessionId: 'a1',
      snapshot: {state: {sessionId: 's1'}, lastEventCursor: meta.cursor, messages: []},
    }
    const attach = (more: object, command = 'attach') =>
      said({type: 'response', command, success: true, data: {...data, ...more}})
    expect(attach({})).toMatchObject({
      snapshot: {activeSession: 'a1', session: 's1', cursor: meta.cursor, inline: true},
    })
    expect(attach({snapshotStream: {id: 'x'}})).toMatchObject({snapshot: {inline: false}})
    expect(attach({snapshot: {}, lastEventCursor: meta.cursor})).toMatchObject({snapshot: {cursor: meta.cursor}})
    expect(attach({}, 'get_state')).not.toHaveProperty('snapshot')
    expect(said({type: 'response', command: 'attach', success: false, data})).not.toHaveProperty('snapshot')
  })
})

test('a response tells who is who by its summaries, and by nothing that a transcript quotes', () => {
  const summary = (n: number) => ({activeSessionId: `a${n}`, sessionId: `s${n}`})
  const pairings = (data: unknown, success = true) => {
    const message = said({type: 'response', command: 'list', success, data})
    return message.kind === 'response' && message.pairings.map(({activeSession, session}) => activeSession + session)
  }
  expect(pairings(summary(1))).toEqual(['a1s1'])
  expect(pairings({sessions: [summary(1), {sessionId: 's2'}, null, summary(3)]})).toEqual(['a1s1', 'a3s3'])
  expect(pairings({session: summary(1), children: [summary(2)]})).toEqual(['a1s1', 'a2s2'])
  expect(pairings({messages: [{details: summary(1)}], text: summary(2)})).toEqual([])
  expect(pairings(summary(1), false)).toEqual([])
  expect(pairings(undefined)).toEqual([])
})

test('a refusal keeps its words and its code', () => {
  expect(
    said({
      id: 'x',
      type: 'response',
      command: 'attach',
      success: false,
      error: 'no',
      errorInfo: {code: 'missing_session_cwd'},
    }),
  ).toEqual({
    kind: 'response',
    id: 'x',
    command: 'attach',
    success: false,
    error: 'no',
    errorCode: 'missing_session_cwd',
    pairings: [],
  })
})

test('what the note names and what it does not', () => {
  const kinds = [
    'heartbeats_changed',
    'daemon_closing',
    'session_detached',
    'side_question_event',
    'session_attached',
    'novel',
  ]
  expect(kinds.map((type) => said({type}).kind)).toEqual([
    'heartbeatsChanged',
    'daemonClosing',
    'detached',
    'unsequenced',
    'unsequenced',
    'unknown',
  ])
  expect(said({type: 'novel', activeSessionId: 'a1', meta})).toMatchObject({
    numbered: {cursor: {sequence: 7}, type: 'novel'},
  })
  expect(said({type: 'novel', activeSessionId: 'a1'})).not.toHaveProperty('numbered')
  expect(said({hello: 1})).toEqual({kind: 'unknown', data: {hello: 1}})
  expect(said({type: 7, activeSessionId: 'a1', meta})).not.toHaveProperty('type')
})

test('hello tells which protocol is spoken, and never the token of its owner', () => {
  const message = {
    type: 'daemon_hello',
    protocol: {name: 'prime-agent.daemon', version: 8},
    schemaRevision: 22,
    supervisorOwnerToken: 'T',
    clientId: 'c',
  }
  expect(said(message)).toEqual({
    kind: 'hello',
    protocolName: 'prime-agent.daemon',
    protocolVersion: 8,
    schemaRevision: 22,
    clientId: 'c',
  })
  expect(said({type: 'daemon_hello', protocol: 7})).toEqual({kind: 'hello'})
})

test('whatever a line holds, it is classified', () => {
  const types = fc.constantFrom(
    'session_event',
    'session_replaced',
    'session_resynced',
    'response',
    'daemon_hello',
    'session_snapshot_begin',
    'session_snapshot_chunk',
    'session_snapshot_end',
    'session_snapshot_failed',
    'x',
  )
  const keys = fc.constantFrom(
    'activeSessionId',
    'meta',
    'snapshot',
    'data',
    'state',
    'messages',
    'protocol',
    'command',
    'success',
    '__proto__',
  )
  fc.assert(
    fc.property(types, fc.dictionary(keys, fc.jsonValue({maxDepth: 3})), (type, fields) => {
      expect(said({...fields, type}).kind).toBeTypeOf('string')
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(classifyPrimeLine(text).kind).toBeTypeOf('string')
    }),
  )
})
