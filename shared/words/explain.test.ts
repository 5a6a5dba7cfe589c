import {expect, test} from 'vitest'
import type {FrameProblem} from '../frames/frame.ts'
import type {FrameId} from '../history/fact.ts'
import type {Refusal} from '../source/refusal.ts'
import type {StopReason} from '../source/source-machine.ts'
import {explainEnding, inOneLine} from './explain.ts'
import {explainProblem} from './explain-problem.ts'
import {explainBeatRefusal, explainRefusal, explainTrialRefusal} from './explain-refusal.ts'

const detail = 'words of the other side'

const refusals: {readonly [K in Refusal['kind']]: readonly Refusal[]} = {
  badRequest: [{kind: 'badRequest', detail}],
  credentials: [
    {kind: 'credentials', status: 401, detail},
    {kind: 'credentials', status: 403, detail},
  ],
  notFound: [{kind: 'notFound', detail}],
  connectionCap: [{kind: 'connectionCap', detail}],
  foreignConnectionId: [{kind: 'foreignConnectionId', detail}],
  takenOver: [{kind: 'takenOver', detail}],
  protocolMismatch: [{kind: 'protocolMismatch', detail}],
  conflict: [{kind: 'conflict', detail}],
  transportRemoved: [{kind: 'transportRemoved', detail}],
  invalidParameter: [{kind: 'invalidParameter', detail}],
  unavailable: [
    {kind: 'unavailable', status: 429, detail},
    {kind: 'unavailable', status: 503, detail},
  ],
  unexpected: [
    {kind: 'unexpected', status: 302, detail},
    {kind: 'unexpected', status: 401, detail},
  ],
  network: [
    {kind: 'network', code: 'ECONNREFUSED', detail},
    {kind: 'network', code: 'ENOTFOUND', detail},
    {kind: 'network', code: 'E_NEW', detail},
  ],
}

const frame = 7 as FrameId

const endings: {readonly [K in StopReason['kind']]: Parameters<typeof explainEnding>[0]} = {
  refused: {kind: 'refused', refusal: {kind: 'notFound', detail}},
  evicted: {kind: 'evicted', code: 'taken_over', reason: detail, terminal: true},
  closed: {kind: 'closed'},
  dropped: {kind: 'dropped', code: 'ECONNRESET'},
  silent: {kind: 'silent'},
  beatRefused: {kind: 'beatRefused', refusal: {kind: 'notFound', detail}},
  rejected: {kind: 'rejected', frame},
  malformed: {kind: 'malformed', frame},
  asleep: {kind: 'asleep'},
  noDaemon: {kind: 'noDaemon', code: 'ENOENT'},
  unsupportedDaemon: {kind: 'unsupportedDaemon', detail},
  daemonClosing: {kind: 'daemonClosing', reason: 'shutdown'},
  notResident: {kind: 'notResident'},
  workerGone: {kind: 'workerGone', detail},
  sessionClosed: {kind: 'sessionClosed', reason: 'killed'},
  sessionReplaced: {kind: 'sessionReplaced', by: 'other'},
  attachFailed: {kind: 'attachFailed', detail},
  idle: {kind: 'idle'},
  notReached: {kind: 'notReached', detail},
  noFile: {kind: 'noFile', path: '/var/log/feed.jsonl'},
  fileUnreadable: {kind: 'fileUnreadable', detail},
  resumeRefused: {kind: 'resumeRefused', detail},
  futureCursor: {kind: 'futureCursor', detail},
  numberingReset: {kind: 'numberingReset', frame: 7 as FrameId},
  storeFailed: {kind: 'storeFailed', detail},
  noToken: {kind: 'noToken'},
  tokensUnreadable: {kind: 'tokensUnreadable', detail},
  noServer: {kind: 'noServer', detail},
  closedWithApp: {kind: 'closedWithApp'},
  asked: {kind: 'asked'},
  notStarted: {kind: 'notStarted'},
}

const problems: {readonly [K in FrameProblem['kind']]: readonly FrameProblem[]} = {
  notJson: [{kind: 'notJson', detail}],
  notAnObject: [{kind: 'notAnObject'}],
  badPosition: [
    {kind: 'badPosition', field: 'id'},
    {kind: 'badPosition', field: 'position'},
  ],
  badGap: [
    {kind: 'badGap', field: 'resumed_at', said: {}},
    {kind: 'badGap', field: 'resumed_position', said: {}},
  ],
  tooLong: [{kind: 'tooLong', capBytes: 8_388_608}],
  tooDense: [{kind: 'tooDense', most: 2_000_000}],
  badCursor: [
    {kind: 'badCursor', at: 'meta.cursor'},
    {kind: 'badCursor', at: ''},
  ],
  badCursorId: [{kind: 'badCursorId', form: 'G:S', id: '5-12'}],
  noCursor: [{kind: 'noCursor', type: 'session_event'}],
  noActiveSession: [{kind: 'noActiveSession', type: 'session_event'}],
  noBegin: [
    {kind: 'noBegin', part: 'chunk'},
    {kind: 'noBegin', part: 'end'},
  ],
  badSnapshot: [{kind: 'badSnapshot', what: 'chunkCount'}],
}

test('every refusal has a title of its own and says what can be done', () => {
  const explained = Object.values(refusals).flat().map(explainRefusal)
  expect(new Set(explained.map(({title}) => title)).size).toBe(explained.length)
  for (const {title, detail: does, whatToDo, said} of explained) {
    expect([title, does, whatToDo]).not.toContain('')
    expect(said).toBe(detail)
  }
})

test('every ending has a title of its own', () => {
  const titles = Object.values(endings).map((because) => explainEnding(because).title)
  expect(new Set(titles).size).toBe(titles.length)
})

test('every problem of a frame has a title of its own and says that nothing moved', () => {
  const explained = Object.values(problems)
    .flat()
    .map((problem) => explainProblem(problem, 'below'))
  expect(new Set(explained.map(({title}) => title)).size).toBe(explained.length)
  for (const {detail: does} of explained) expect(does).toContain('position did not move')
})

test('a refused token is said to be useless to retry, and where to replace it', () => {
  const line = inOneLine(explainRefusal({kind: 'credentials', status: 401, detail: 'Invalid credentials'}))
  expect(line).toBe(
    '401 from the bridge: the token was refused. It said: Invalid credentials. Stopped; a retry would send the same token. ' +
      'Replace it in the source’s settings. It must be an agent’s API key, not a registration token.',
  )
})

test('a wrong path is not taken for a wrong token, nor for something that is no bridge', () => {
  const {title, whatToDo} = explainTrialRefusal({kind: 'unexpected', status: 401, detail: '401 from /health'})
  expect(title).toContain('no bridge is served under this path')
  expect(`${title} ${whatToDo}`).not.toMatch(/token|another service/)
})

test('only a terminal eviction says that Tidemark stopped', () => {
  const evicted = (code: string, terminal: boolean) =>
    explainEnding({kind: 'evicted', code, reason: '', terminal}).detail
  expect(evicted('taken_over', true)).toContain('Stopped')
  expect(evicted('launch_superseded', true)).toContain('Stopped')
  expect(evicted('heartbeat_lapsed', false)).not.toContain('Stopped')
  expect(evicted('closed', false)).not.toContain('Stopped')
})

test('a refused heartbeat says what that means for the stream, not what a refused open would', () => {
  const beat = (refusal: Refusal) => explainEnding({kind: 'beatRefused', refusal}).detail
  expect(beat({kind: 'notFound', detail})).toContain('opens the stream again')
  expect(beat({kind: 'unavailable', status: 503, detail})).toContain('goes on beating')
  expect(beat({kind: 'credentials', status: 401, detail})).toContain('Stopped')
})

test('a system code that is not known is shown as it is', () => {
  expect(explainRefusal({kind: 'network', code: 'E_NEW', detail}).title).toContain('E_NEW')
})

test('a trial does not claim that anything was stopped or will be tried again', () => {
  for (const refusal of Object.values(refusals).flat()) {
    const {detail: does, whatToDo} = explainTrialRefusal(refusal)
    expect(does).toContain('Nothing was saved')
    expect(`${does} ${whatToDo}`).not.toMatch(/Stopped|by itself|Replace it in/)
  }
})

test('a refused heartbeat does not blame the address or the parameters of an open that went well', () => {
  const [gone, other] = [explainBeatRefusal({kind: 'notFound', detail}), explainBeatRefusal({kind: 'conflict', detail})]
  expect(gone.title).toBe('Heartbeat refused. 404 from the bridge: it holds this connection as open no longer')
  for (const {title, whatToDo} of [gone, other]) expect(`${title} ${whatToDo}`).not.toMatch(/address|URL|path/)
  const titles = Object.values(refusals)
    .flat()
    .map(explainBeatRefusal)
    .map(({title}) => title)
  expect(new Set(titles).size).toBe(titles.length)
})

test('of a frame that was refused it is not claimed that its bytes were kept: some may hold secrets', () => {
  for (const problem of Object.values(problems).flat())
    expect(explainProblem(problem, 'none').detail).not.toContain('are kept')
})

test('what was closed in order is not called paused, and claims nothing of the time after', () => {
  const {title, detail: does} = explainEnding({kind: 'closedWithApp'})
  expect(title).toMatch(/^Not running/)
  expect(does).toContain('not known')
})

test('where nothing can be opened, what stands in the way is told as it was said', () => {
  expect(explainEnding({kind: 'tokensUnreadable', detail}).said).toBe(detail)
  expect(explainEnding({kind: 'noServer', detail}).said).toBe(detail)
  expect(explainEnding({kind: 'noToken'}).detail).toContain('Nothing was asked of the bridge')
})

test('a session that goes on as one that the user removed sends nobody to a source that is not there', () => {
  const {title, detail, whatToDo} = explainEnding({kind: 'sessionReplaced', by: 'other', removed: true})
  expect(title).not.toBe(explainEnding({kind: 'sessionReplaced', by: 'other'}).title)
  expect(`${detail} ${whatToDo}`).toContain('not watched')
  expect(whatToDo).not.toContain('Look at')
})
