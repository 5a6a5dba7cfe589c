import {expect, test} from 'vitest'
import {answer, HELLO, letIn, row, type ScriptedDaemon, SOCKET, scriptDaemon} from '../testing/script-daemon.ts'
import {createScriptedSocket} from '../testing/scripted-socket.ts'
import {createVirtualClock, settle} from '../testing/virtual-clock.ts'
import {watchDaemon} from './daemon-watch.ts'

const daemonOf = async ({engine}: ScriptedDaemon, refresh = false) => {
  const {daemons} = await engine.handlers['prime.daemons']({refresh})
  return daemons[0]
}

const listsOf = ({control}: ScriptedDaemon): number =>
  control()
    .sent()
    .filter(({type}) => type === 'list').length

test('a daemon that runs is offered with its resident sessions, by itself', async () => {
  const scripted = await scriptDaemon({watch: false})
  const {control} = scripted
  expect(await daemonOf(scripted)).toMatchObject({socket: SOCKET, state: 'looking', sessions: []})
  control().say({type: 'heartbeats_changed'}, HELLO)
  await settle()
  control().say(answer(control(), {sessions: [row({sessionName: 'tides'}), {sessionId: 'a transcript'}]}))
  await settle()
  expect(await daemonOf(scripted)).toMatchObject({
    state: 'connected',
    appVersion: '0.8.0',
    sessions: [{sessionId: 's1', activeSessionId: 'a', name: 'tides', state: 'idle', subagent: false}],
  })
  expect(JSON.stringify(await daemonOf(scripted))).not.toContain('secret')
})

test.each([
  ['ENOENT', 'absent'],
  ['ECONNREFUSED', 'stale'],
  ['EACCES', 'failed'],
])('%s: it is said to be %s, and is looked for cheaply', async (code, state) => {
  const clock = createVirtualClock()
  const transport = createScriptedSocket()
  transport.refuse(code)
  const watch = watchDaemon(SOCKET, {transport, clock, onChange: () => {}})
  await clock.advance(60_000)
  expect(watch.view()).toMatchObject({state, detail: code})
  const inAMinute = transport.tried()
  await clock.advance(3_600_000)
  expect(transport.tried() - inAMinute).toBeLessThanOrEqual(361)
  transport.refuse(undefined)
  transport.changeFolder()
  await clock.advance(0)
  expect(transport.connections).toHaveLength(1) // at once: something changed in its folder
  await watch.close()
})

test('to a daemon of another version nothing is ever sent', async () => {
  const scripted = await scriptDaemon()
  const {control, transport, clock} = scripted
  control().say({...HELLO, protocol: {name: 'prime-agent.daemon', version: 8}}, {type: 'heartbeats_changed'})
  await clock.advance(600_000)
  expect(await daemonOf(scripted, true)).toMatchObject({
    state: 'unsupported',
    detail: 'prime-agent.daemon, version 8',
  })
  expect(transport.connections.map(({sent}) => sent())).toEqual([[]])
  expect(scripted.because()).toBe('waiting: unsupportedDaemon')
})

test('hints of change come in bursts, and are answered with one list', async () => {
  const scripted = await scriptDaemon({watch: false})
  const {control, clock} = scripted
  control().say(HELLO)
  await settle()
  control().say(answer(control(), {sessions: []}))
  control().say(...Array(20).fill({type: 'heartbeats_changed'}))
  await clock.advance(999)
  expect(listsOf(scripted)).toBe(1)
  await clock.advance(1)
  expect(listsOf(scripted)).toBe(2)
})

test('without a hint it is listed each 30 s, each 2 min while a session runs, and not while a watched one answers', async () => {
  const scripted = await scriptDaemon()
  const {control, clock} = scripted
  const session = await letIn(scripted)
  const after = async (ms: number): Promise<number> => {
    const before = listsOf(scripted)
    for (let passed = 0; passed < ms; passed += 10_000) {
      await clock.advance(10_000)
      if (session.sent().at(-1)?.type === 'get_state') session.say(answer(session, row({isSessionActive: watched})))
      if (listsOf(scripted) > before) control().say(answer(control(), {sessions: [row({isSessionActive: running})]}))
      await settle()
    }
    return listsOf(scripted) - before
  }
  let [running, watched] = [false, false]
  expect(await after(90_000)).toBe(3)
  running = true
  await after(30_000)
  expect(await after(240_000)).toBe(2)
  watched = true
  session.say({
    type: 'session_event',
    activeSessionId: 'a',
    event: {type: 'agent_start'},
    meta: {cursor: {generation: 'g', sequence: 1}},
  })
  expect(await after(600_000)).toBe(0)
})

test('who listens and never says hello is left, and tried again', async () => {
  const scripted = await scriptDaemon({watch: false})
  const {transport, clock} = scripted
  await clock.advance(10_000)
  expect(transport.connections[0]?.closed()).toBe(true)
  await clock.advance(10_000)
  expect(transport.connections.length).toBeGreaterThan(1)
  expect(transport.connections.flatMap(({sent}) => sent())).toEqual([])
})

test('a worker’s own socket is never opened', async () => {
  const clock = createVirtualClock()
  const transport = createScriptedSocket()
  const watch = watchDaemon('/tmp/prime-agent-1000/worker-ab12-cd34.sock', {transport, clock, onChange: () => {}})
  await clock.advance(3_600_000)
  expect(watch.view().state).toBe('failed')
  expect(transport.tried()).toBe(0)
  await watch.close()
})

test('a daemon that lets in and hangs up at once is looked at ever more slowly', async () => {
  const clock = createVirtualClock()
  const transport = createScriptedSocket()
  const watch = watchDaemon(SOCKET, {transport, clock, onChange: () => {}})
  const hangUp = async (): Promise<void> => {
    const last = transport.connections.at(-1)
    if (last?.closed() !== false) return
    last.say(HELLO)
    last.end()
  }
  for (let tenth = 0; tenth < 6_000; tenth++) {
    await hangUp()
    await clock.advance(100)
  }
  expect(transport.tried()).toBeLessThanOrEqual(100) // in ten minutes
  await watch.close()
})

test('whoever asks for a list of a daemon that never answers is told what is known, after a while', async () => {
  const scripted = await scriptDaemon({watch: false})
  scripted.control().say(HELLO)
  await settle()
  let told: unknown
  void daemonOf(scripted, true).then((daemon) => {
    told = daemon
  })
  for (let second = 0; second < 45; second++) await scripted.clock.advance(1_000)
  expect(told).toMatchObject({state: 'connected', sessions: []})
})

test('a daemon that leaves two lists in a row unanswered is asked over another connection', async () => {
  const scripted = await scriptDaemon({watch: false})
  const {control, transport, clock} = scripted
  control().say(HELLO)
  await settle()
  control().say(answer(control(), {sessions: []}))
  await clock.advance(30_000 + 20_000)
  expect([listsOf(scripted), transport.connections.length]).toEqual([2, 1])
  await clock.advance(30_000 + 20_000 + 1_000)
  expect(transport.connections.length).toBe(2)
})
