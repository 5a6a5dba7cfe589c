import {once} from 'node:events'
import {createServer} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import type {ConnectionTest} from '../../shared/contract/contract.ts'
import {systemClock} from './clock.ts'
import {WATCHDOG_URL} from './handlers/testing/handler-rig.ts'
import {openProfile} from './open-profile.ts'
import {temporaryDirectory} from './store/testing/temporary-store.ts'
import {WORKER_URL} from './store/testing/worker-url.ts'
import {httpTransport} from './switch/http-transport.ts'
import {probeHealth} from './switch/probe-health.ts'
import {chunk, reply, type Seen, serveBytes, TOKEN} from './switch/testing/serve-bytes.ts'

/** What a screen is told of this URL, by an engine that is put together as it runs. */
async function tried(url: string): Promise<ConnectionTest> {
  const clock = systemClock()
  const profile = await openProfile({
    directory: temporaryDirectory(),
    mode: 'host',
    version: '0',
    workerUrl: WORKER_URL,
    watchdogUrl: WATCHDOG_URL,
    clock,
    tokens: {get: async () => undefined, set: async () => {}, delete: async () => {}, describe: 'nowhere'},
    openTransport: (target) => httpTransport(target, {clock}),
    probeHealth: (at, signal) => probeHealth(at, signal, clock),
    onTrouble: () => {},
  })
  if (!profile.ok) throw new Error(profile.error.kind)
  onTestFinished(profile.value.close)
  const settings = {kind: 'switch', url, agentId: 'release-bot', watchAs: 'own', startFrom: 'retained'} as const
  return profile.value.engine.handlers['sources.test']({name: 'tried', settings, token: TOKEN})
}

function asked({head}: Seen): string {
  return head.split(' ')[1]?.replace(/\?.*/, '') ?? ''
}

test.each([
  ['a bridge’s host, but another path', '401 Unauthorized', 401],
  ['no bridge', '404 Not Found', 404],
  ['a gateway whose bridge is down', '502 Bad Gateway', 502],
  ['a page that leads elsewhere', '302 Found', 302],
])('%s is told by its status, and never gets the token', async (_what, line, status) => {
  const server = await serveBytes((socket) => void socket.write(reply(line, 'no', 'location: /login\r\n')))
  expect(await tried(server.target.url)).toEqual({
    kind: 'refused',
    refusal: {kind: 'unexpected', status, detail: `${status} from /health`},
  })
  expect(server.seen.map(asked)).toEqual(['/health'])
  expect(JSON.stringify(server.seen)).not.toContain(TOKEN)
})

test('an address where nobody answers is told by the system’s word', async () => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const address = gone.address()
  gone.close()
  const port = typeof address === 'object' ? address?.port : undefined
  expect(await tried(`http://127.0.0.1:${port}`)).toMatchObject({
    kind: 'refused',
    refusal: {kind: 'network', code: 'ECONNREFUSED'},
  })
})

test('a bridge is asked for its health without the token, then for a stream with it', async () => {
  const introduction = 'event: connection_state\ndata: {"agent_id": "release-bot", "protocol": 2}\n\n'
  const stream = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
  const server = await serveBytes((socket, seen) => {
    socket.write(asked(seen) === '/health' ? reply('200 OK', '{}') : stream + chunk(introduction))
  })
  expect(await tried(server.target.url)).toMatchObject({kind: 'reached', agentId: 'release-bot', sameAgent: true})
  expect(server.seen.map(asked)).toEqual(['/health', '/agents/release-bot/events'])
  expect(server.seen.map(({head}) => head.includes(TOKEN))).toEqual([false, true])
})
