import {createServer, type IncomingMessage} from 'node:http'
import {expect, onTestFinished, test} from 'vitest'
import {parseCursor} from '../../../shared/cursor/cursor.ts'
import {createHttpAgents} from '../switch/http-request.ts'
import {createFastClock} from '../testing/fast-clock.ts'
import {sseTransport} from './sse-transport.ts'

/** A stream that says nothing, and what it was asked. */
async function silentServer(): Promise<{url: string; asked: IncomingMessage[]}> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    response.writeHead(200, {'content-type': 'text/event-stream'}).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return {url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`, asked}
}

test.each(['plain', 'café', '日本', '🌊', 'a\r\nx-more: 1', '\ud800', '"\\'])(
  'a name of a generation comes back to the server in the UTF-8 it was sent in, and nothing beside it (%j)',
  async (name) => {
    const {url, asked} = await silentServer()
    const from = parseCursor({generation: name, sequence: 7}) ?? expect.fail('no cursor')
    const template = {over: 'sse', url, query: '', lastEventId: '{cursor}'} as const
    const own = new AbortController()
    const opened = await sseTransport(template, createHttpAgents(), createFastClock(10)).open(
      {from, future: 'fail'},
      own.signal,
    )
    expect(opened.ok).toBe(true)
    own.abort()
    const headers = asked[0]?.headers ?? {}
    const sent = Buffer.from(String(headers['last-event-id']), 'latin1').toString('utf8') // Node gives bytes as characters
    expect(JSON.parse(sent)).toEqual({generation: name, sequence: 7})
    expect(headers).not.toHaveProperty('x-more')
  },
)
