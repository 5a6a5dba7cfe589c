import {expect, test} from 'vitest'
import {createHostTransport, type SocketEvents} from './host-transport.ts'
import type {Link} from './state/engine-slice.ts'

/** A host of which the test plays every part. */
function playHost() {
  const sockets: Array<{readonly events: SocketEvents; readonly sent: unknown[]}> = []
  const links: Link[] = []
  const due: Array<{readonly ms: number; readonly run: () => void}> = []
  const transport = createHostTransport({
    url: 'ws://127.0.0.1:7777/ws',
    token: 'secret',
    openSocket: (_url, events) => {
      const sent: unknown[] = []
      sockets.push({events, sent})
      return {send: (text) => sent.push(JSON.parse(text))}
    },
    later: (ms, run) => due.push({ms, run}),
    now: () => 1_000,
    onLink: (link) => links.push(link),
  })
  const socket = () => {
    const newest = sockets.at(-1)
    if (newest === undefined) throw new Error('no socket was opened')
    return newest
  }
  const say = (message: unknown) => socket().events.onMessage(JSON.stringify(message))
  const welcome = () => {
    socket().events.onOpen()
    say({ready: true})
  }
  return {transport, sockets, links, due, socket, say, welcome}
}

test('the token is the first message and never in the address', () => {
  const host = playHost()
  host.welcome()
  expect(host.socket().sent).toEqual([{token: 'secret'}])
  expect(host.links).toEqual([{kind: 'ready'}])
})

test('an answer finds its request, in any order', async () => {
  const host = playHost()
  host.welcome()
  const first = host.transport.request('app.info', {})
  const second = host.transport.request('sources.list', {})
  host.say({id: 2, result: {ok: true, value: 'second'}})
  host.say({id: 1, result: {ok: true, value: 'first'}})
  expect(await first).toEqual({ok: true, value: 'first'})
  expect(await second).toEqual({ok: true, value: 'second'})
})

test('a request whose answer can no longer come rejects', async () => {
  const host = playHost()
  host.welcome()
  const asked = host.transport.request('app.info', {})
  host.socket().events.onClose(1006, '')
  await expect(asked).rejects.toThrow('1006')
})

test('a request before the host is ready rejects at once', async () => {
  const host = playHost()
  await expect(host.transport.request('app.info', {})).rejects.toThrow('not connected')
})

test('after a loss it waits, longer each time, and begins anew once it was ready', () => {
  const host = playHost()
  for (let loss = 0; loss < 6; loss++) {
    host.socket().events.onClose(1006, '')
    host.due.at(-1)?.run()
  }
  expect(host.due.map(({ms}) => ms)).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  host.welcome()
  host.socket().events.onClose(1006, '')
  expect(host.due.at(-1)?.ms).toBe(500)
  expect(host.links.at(-1)).toEqual({kind: 'lost', detail: 'the connection ended (1006)', retryAt: 1_500})
})

test('a refused token is not tried again', () => {
  const host = playHost()
  host.socket().events.onClose(4401, '')
  expect(host.links).toEqual([{kind: 'refused'}])
  expect(host.due).toEqual([])
})

test('batches reach every subscriber until it leaves', () => {
  const host = playHost()
  host.welcome()
  const heard: unknown[] = []
  const leave = host.transport.subscribe((batch) => heard.push(batch))
  host.say({changes: {number: 1}})
  leave()
  host.say({changes: {number: 2}})
  expect(heard).toEqual([{number: 1}])
})

test('what is no message of the host is ignored', () => {
  const host = playHost()
  host.welcome()
  host.socket().events.onMessage('not json')
  host.socket().events.onMessage(new ArrayBuffer(3))
  host.say([1])
  host.say({id: 99, result: {}})
  expect(host.links).toEqual([{kind: 'ready'}])
})
