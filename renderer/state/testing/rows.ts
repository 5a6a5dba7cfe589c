import type {ChangeBatch} from '../../../shared/contract/contract.ts'
import type {AttemptRow, ConnectionRow, FrameRow, GapRow, SourceView} from '../../../shared/contract/rows.ts'
import {countsOf} from '../../../shared/history/counts.ts'

/* Rows for tests: a plain one, changed where the test says so. */

export function frame(over: Partial<FrameRow> = {}): FrameRow {
  return {
    id: 1,
    source: 'a',
    receivedAt: 1_000,
    kind: 'event',
    event: 'message',
    lane: 's',
    sequence: 1,
    summary: '',
    outcome: 'handled',
    attempt: 1,
    size: 100,
    ...over,
  }
}

export function attempt(over: Partial<AttemptRow> = {}): AttemptRow {
  return {frame: 1, source: 'a', n: 1, state: 'pending', callback: 'onEvent', startedAt: 1_000, ...over}
}

export function gap(over: Partial<GapRow> = {}): GapRow {
  return {
    frame: 1,
    source: 'a',
    receivedAt: 1_000,
    outcome: 'replaced',
    said: {},
    before: [],
    after: [],
    wentBack: [],
    removed: [],
    ...over,
  }
}

export function connection(over: Partial<ConnectionRow> = {}): ConnectionRow {
  return {source: 'a', at: 1_000, state: 'live', heartbeat: 'fresh', ...over}
}

export function view(over: Partial<SourceView> = {}): SourceView {
  return {
    id: 'a',
    name: over.id ?? 'a',
    settings: {kind: 'demo', scenario: 'tour'},
    demo: false,
    paused: false,
    connection: connection({source: over.id ?? 'a'}),
    position: [],
    coordinates: 0,
    vectorSeen: false,
    counts: countsOf(() => 0),
    waiting: 0,
    rejectedOpen: 0,
    notices: [],
    handlers: [],
    ...over,
  }
}

export function batch(over: Partial<ChangeBatch> = {}): ChangeBatch {
  return {
    number: 1,
    now: 1_000,
    sources: [],
    removedSources: [],
    frames: [],
    attempts: [],
    gaps: [],
    gapAccounts: [],
    holes: [],
    activities: [],
    connections: [],
    notifications: [],
    framesLeftOut: 0,
    rate: 0,
    lagMs: 0,
    ...over,
  }
}
