import {execFile} from 'node:child_process'
import {appendFileSync, readFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect, onTestFinished, test} from 'vitest'
import {parseJson} from '../../../shared/base/json.ts'
import {realClock} from '../demo-clock.ts'
import {connectPlainly, type PlainClient} from '../prime/testing/plain-client.ts'
import {findNumberedScenario} from './scenarios.ts'
import {type NumberedServer, type NumberedServerSetup, startNumberedServer} from './server.ts'

async function start(name: string, more: Partial<NumberedServerSetup> = {}): Promise<NumberedServer> {
  const scenario = findNumberedScenario(name)
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  const server = await startNumberedServer({scenario, clock: realClock(), ...more})
  onTestFinished(server.close)
  return server
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tidemark-numbered-'))
  onTestFinished(() => rm(path, {recursive: true}))
  return path
}

async function read({lines}: NumberedServer, firstLine: string): Promise<PlainClient> {
  const client = await connectPlainly(lines)
  onTestFinished(client.close)
  client.sendLine(firstLine)
  return client
}

const at = (generation: number, sequence: number) => ({generation, sequence})
const cursors = (client: PlainClient) => client.messages().map(({cursor}) => cursor)
const has = (generation: number, sequence: number) => (message: Record<string, unknown>) =>
  JSON.stringify(message['cursor']) === JSON.stringify(at(generation, sequence))
const say = {kind: 'event', event: {kind: 'note', text: 'naïve ☃'}} as const
const snap = {kind: 'snapshot', reason: 'checkpoint'} as const

/** A server at {2, 2}. */
async function risen(more: Partial<NumberedServerSetup> = {}): Promise<NumberedServer> {
  const server = await start('still', more)
  for (const action of [say, snap, say, say]) server.act(action)
  return server
}

test('a socket is sent what is strictly greater than the cursor it names, and then what is new', async () => {
  const server = await risen()
  const client = await read(server, '{"resume":{"generation":2,"sequence":0}}')
  await client.until(has(2, 2))
  server.act(snap)
  await client.until(has(3, 0))
  expect(cursors(client)).toEqual([at(2, 1), at(2, 2), at(3, 0)])
})

test('a socket that names none is sent everything, and one that asks for the head only what is new', async () => {
  const server = await risen()
  const [everything, news] = [await read(server, ''), await read(server, '{"resume":"head"}')]
  await everything.until(has(2, 2))
  expect(cursors(everything)).toEqual([at(1, 0), at(1, 1), at(2, 0), at(2, 1), at(2, 2)])
  await waitFor(() => server.status().attached === 2)
  server.act(say)
  await news.until(has(2, 3))
  expect(cursors(news)).toEqual([at(2, 3)])
})

test('a socket is not sent anything before it asked, unless nobody asks here', async () => {
  const server = await start('still', {asks: 'none'})
  const client = await connectPlainly(server.lines)
  onTestFinished(client.close)
  await client.until(has(1, 0))
  const asking = await start('still')
  const silent = await connectPlainly(asking.lines)
  onTestFinished(silent.close)
  await (await read(asking, '')).until(has(1, 0))
  expect(silent.lines()).toEqual([])
})

test.each([
  ['{"resume":{"generation":9,"sequence":0}}', {code: 'future_cursor', head: at(2, 2)}],
  ['{"resume":{"generation":"g","sequence":0}}', {code: 'bad_cursor'}],
  ['not json', {code: 'bad_cursor'}],
])('%s is refused in words, and the connection ends', async (line, expected) => {
  const client = await read(await risen(), line)
  await client.ended
  expect(client.messages()).toMatchObject([{type: 'error', ...expected}])
})

test('a cursor ahead waits where it was told to, and gets what comes behind it', async () => {
  const server = await risen()
  const client = await read(server, '{"resume":{"generation":3,"sequence":0},"future":"wait"}')
  const witness = await read(server, '{"resume":"head"}')
  await waitFor(() => server.status().attached === 2)
  for (const action of [snap, say]) server.act(action)
  await Promise.all([client, witness].map(({until}) => until(has(3, 1))))
  expect(cursors(client)).toEqual([at(3, 1)])
})

async function waitFor(so: () => boolean): Promise<void> {
  while (!so()) await realClock().wait(5, new AbortController().signal)
}

/** Reads until the text has what is looked for, or the body ends. */
async function readUntil(response: Response, found: (text: string) => boolean): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader !== undefined && !found(text)) {
    const {done, value} = await reader.read()
    if (done) break
    text += value
  }
  await reader?.cancel()
  return text
}

test.each([
  ['?generation=2&sequence=1', {}],
  [`?cursor=${encodeURIComponent('{"generation":2,"sequence":1}')}`, {}],
  ['', {'last-event-id': '{"generation":2,"sequence":1}'}],
  ['?generation=1&sequence=0', {'last-event-id': '2:1'}],
])('an event stream resumes from %s %j', async (query, headers) => {
  const {sse} = await risen()
  const response = await fetch(`${sse}${query}`, {headers})
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const text = await readUntil(response, (read) => read.endsWith('\n\n'))
  expect(text).toMatch(/^id: \{"generation":2,"sequence":2\}\nevent: event\ndata: \{"type":"event","cursor":.*\}\n\n$/)
})

test('an event stream refuses what it cannot resume from', async () => {
  const {sse} = await risen()
  const ask = async (query: string) => {
    const response = await fetch(`${sse}${query}`)
    return [response.status, await response.json()]
  }
  expect(await ask('?generation=9&sequence=0')).toMatchObject([409, {error: {code: 'future_cursor', head: at(2, 2)}}])
  expect(await ask('?generation=9')).toMatchObject([400, {error: {code: 'bad_cursor'}}])
})

test('cursors stay valid over processes as long as the store is there, and half a line is never known', async () => {
  const store = await folder()
  await (await risen({store})).close()
  appendFileSync(join(store, 'snapshots.jsonl'), '{"type":"event","cursor":{"generation":2,"seq')
  const second = await start('still', {store})
  expect(second.head()).toEqual(at(2, 2))
  second.act(say)
  await second.close()
  const third = await start('still', {store})
  const client = await read(third, '{"resume":{"generation":2,"sequence":1}}')
  await client.until(has(2, 3))
  expect(cursors(client)).toEqual([at(2, 2), at(2, 3)])
})

test('without the store, numbers begin anew and below, between two processes or in one', async () => {
  const store = await folder()
  const first = await risen({store})
  first.act({kind: 'restart', store: 'lost'})
  expect(first.head()).toEqual(at(1, 0))
  for (const action of [snap, snap]) first.act(action)
  await first.close()
  await rm(join(store, 'snapshots.jsonl'))
  const second = await start('still', {store, future: 'all'})
  const client = await read(second, '{"resume":{"generation":3,"sequence":0}}')
  await client.until(has(1, 0))
})

test('a file gets every message as a line, like those of a socket', async () => {
  const file = join(await folder(), 'stream.jsonl')
  const server = await risen({file, place: ['meta', 'cursor']})
  const client = await read(server, '')
  await client.until(({meta}) => JSON.stringify(meta) === JSON.stringify({cursor: at(2, 2)}))
  expect(readFileSync(file, 'utf8').split('\n').slice(0, -1)).toEqual(client.lines())
})

test('a message is cut at its byte, on either wire', async () => {
  const server = await risen()
  const client = await read(server, '{"resume":"head"}')
  const stream = await fetch(`${server.sse}?from=head`)
  await waitFor(() => server.status().attached === 2)
  server.act({kind: 'cut', atByte: 8})
  server.act(say)
  expect(await client.ended).toBe('{"type":')
  expect(await readUntil(stream, () => false)).toBe('id: {"ge')
})

test('every first line and address is kept', async () => {
  const server = await risen()
  await (await read(server, '{"resume":{"generation":9,"sequence":0}}')).ended
  await (await fetch(`${server.sse}?from=head`)).body?.cancel()
  expect(server.record()).toMatchObject([
    {asked: '{"resume":{"generation":9,"sequence":0}}', refused: {code: 'future_cursor'}},
    {asked: '/events?from=head', refused: undefined},
  ])
})

test('the command line tells where it listens, writes what it was told to, and ends by itself', async () => {
  const [store, main] = [await folder(), join(import.meta.dirname, 'main.ts')]
  const file = join(store, 'out.jsonl')
  const args = [main, '--scenario', 'still', '--store', store, '--write', file, '--for', '0.2']
  const {stdout} = await promisify(execFile)(process.execPath, args)
  expect(parseJson(stdout)).toMatchObject({lines: expect.any(Number), sse: expect.stringMatching(/\/events$/)})
  expect(parseJson(readFileSync(file, 'utf8'))).toMatchObject({cursor: at(1, 0)})
  await expect(promisify(execFile)(process.execPath, [main, '--future', 'maybe'])).rejects.toMatchObject({code: 2})
})
