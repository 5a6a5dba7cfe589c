import {assertNever} from '../../../shared/base/assert-never.ts'
import type {JsonObject} from '../../../shared/base/json.ts'
import {attachedTo, type DaemonState, type Output, sessionOf} from './daemon-state.ts'
import {metaOf, publish} from './deliver.ts'
import type {BadLine, FaultAction} from './scenario.ts'
import type {DemoSession} from './session.ts'
import {hangUp} from './supervisor.ts'
import {lineOf} from './wire.ts'

export function makeTrouble(state: DaemonState, now: number, action: FaultAction): readonly Output[] {
  switch (action.kind) {
    case 'badLine': {
      const session = sessionOf(state, action.on)
      const text = badLine(state, now, session, action.what)
      return attachedTo(state, session.activeId).map(({id: connection}) => ({kind: 'write', connection, text}))
    }
    case 'hugeLine': {
      const event = {type: 'bash_output', chunk: '~'.repeat(action.bytes)}
      return publish(state, now, sessionOf(state, action.on), {type: 'session_event', event})
    }
    case 'drop':
      state.dropping.set(sessionOf(state, action.on).activeId, action.events)
      return []
    case 'cut':
      for (const {id, attached} of state.connections.values())
        if (attached.size > 0) state.cuts.set(id, {lines: action.lines ?? 0, atByte: action.atByte})
      return []
    case 'spoilSnapshot':
      sessionOf(state, action.on).spoil = action.how
      return []
    case 'hangUp':
      return hangUp(state, now)
    default:
      return assertNever(action)
  }
}

function badLine(state: DaemonState, now: number, session: DemoSession, what: BadLine): string | Uint8Array {
  const {activeId: activeSessionId} = session
  const event: JsonObject = {type: 'bash_output', chunk: 'x'}
  switch (what) {
    case 'garbage':
      return '{"type":"session_event","activeSes\n'
    case 'notAnObject':
      return '["session_event"]\n'
    case 'blank':
      return '\n'
    case 'invalidUtf8':
      return Buffer.concat([
        Buffer.from('{"type":"heartbeats_changed","x":"'),
        Buffer.from([0xff]),
        Buffer.from('"}\n'),
      ])
    case 'missingMeta':
      session.sequence += 1
      return lineOf({type: 'session_event', activeSessionId, event})
    case 'wrongTypes':
      session.sequence += 1
      return lineOf({
        type: 'session_event',
        activeSessionId: 7,
        event: 'bash_output',
        meta: {...metaOf(state, now, session), sequence: '1', cursor: {generation: 12, sequence: '1'}},
      })
    case 'unknownType':
      return lineOf({type: 'tide_turned', activeSessionId, height: 3})
    case 'unknownNumbered':
      session.sequence += 1
      return lineOf({type: 'tide_turned', activeSessionId, height: 3, meta: metaOf(state, now, session)})
    case 'separators':
      // JSON leaves them as they are; they end no line.
      session.sequence += 1
      return lineOf({
        type: 'session_event',
        activeSessionId,
        event: {type: 'bash_output', chunk: 'a\u2028b\u2029c'},
        meta: metaOf(state, now, session),
      })
    default:
      return assertNever(what)
  }
}
