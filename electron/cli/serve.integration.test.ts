import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {WebSocket} from 'ws'
import {profileFiles} from '../engine/store/profile.ts'
import {temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {until} from '../engine/testing/until.ts'
import {jsonLines, runTidemark, type Serving, serveTidemark, tidemark} from './testing/tidemark-process.ts'

/** For a machine that has much else to do: each of these is several processes. */
const PATIENT = {timeout: 120_000}

function profileFolder(): string {
  return join(temporaryDirectory(), 'profile')
}

/** The own number that the profile stands at, as another process reads it. */
async function ownOf(profile: string): Promise<number> {
  const {out} = await runTidemark(['positions', '--profile', profile, '--json'])
  const [line] = jsonLines(out) as {position: {s?: number}}[]
  return line?.position.s ?? -1
}

async function askHost({said}: Serving, channel: string, input: object = {}): Promise<unknown> {
  const token = /#token=(.+)$/.exec(said.url)?.[1]
  const socket = new WebSocket(`ws://127.0.0.1:${said.port}/ws`)
  const heard: unknown[] = []
  socket.on('message', (raw) => heard.push(JSON.parse(String(raw))))
  socket.once('open', () => {
    socket.send(JSON.stringify({token}))
    socket.send(JSON.stringify({id: 1, channel, input}))
  })
  const answer = () => heard.find((message): message is {result: unknown} => (message as {id?: number}).id === 1)
  await until(() => answer() !== undefined, `the answer to ${channel}`)
  socket.terminate()
  return answer()?.result
}

/** Waits until the host has acknowledged so much. */
async function untilOwn(serving: Serving, own: number): Promise<void> {
  await until(async () => {
    const listed = (await askHost(serving, 'sources.list')) as {value: {position: [string, number][]}[]}
    return (listed.value[0]?.position[0]?.[1] ?? -1) >= own
  }, `the position ${own}`)
}

test('a second process on a profile is told who owns it, ends with 1, and may read beside it', PATIENT, async () => {
  const profile = profileFolder()
  const first = await serveTidemark(profile, '--demo')
  expect(first.said).toMatchObject({fact: 'serving', profile})
  const [second, text] = await Promise.all([
    runTidemark(['serve', '--profile', profile, '--json', '--no-open', '--port', '0', '--page-elsewhere']),
    runTidemark(['replay', '-', '--protocol', 'switch', '--profile', profile], 'id: 1\ndata: {}\n\n'),
  ])
  expect(second).toMatchObject({code: 1, out: ''})
  expect(second.err).toContain(`process ${first.process.child.pid}`)
  expect(second.err).toContain(first.said.url)
  expect(text).toMatchObject({code: 1, out: ''})
  await untilOwn(first, 9)
  const lists = await Promise.all(
    ['sources', 'positions', 'gaps'].map((command) => runTidemark([command, '--profile', profile, '--json'])),
  )
  for (const {code, err} of lists) expect([code, err]).toEqual([0, ''])
  const [sources, positions] = lists.map(({out}) => jsonLines(out))
  expect(sources).toMatchObject([{name: 'Demo: release-bot', settings: {kind: 'demo', scenario: 'tour'}}])
  expect(positions).toMatchObject([{name: 'Demo: release-bot', vectorSeen: true}])
  expect(await askHost(first, 'sources.list')).toMatchObject({ok: true, value: [{name: 'Demo: release-bot'}]})
})

test('asked to end, it ends in order with 0, and the next one goes on from the same position', PATIENT, async () => {
  const profile = profileFolder()
  const first = await serveTidemark(profile, '--demo')
  await untilOwn(first, 10)
  first.process.child.kill('SIGTERM')
  expect(await first.process.ended).toMatchObject({code: 0, err: ''})
  expect(jsonLines(first.process.out())).toHaveLength(1)
  expect(existsSync(profileFiles(profile).owner)).toBe(false)
  const left = await ownOf(profile)
  const second = await serveTidemark(profile)
  // The demo's server is another one now and has lost its numbers: it says so to whoever asks from where he left.
  const before = async (): Promise<unknown> => {
    const {value} = (await askHost(second, 'gaps.list', {limit: 1})) as {value: {gaps: {before: unknown[]}[]}}
    return value.gaps[0]?.before[0]
  }
  await until(async () => (await before()) !== undefined, 'the gap')
  expect(await before()).toEqual(['s', left])
})

test('killed, it leaves a profile that is free, and that the next one opens', PATIENT, async () => {
  const profile = profileFolder()
  const first = await serveTidemark(profile, '--demo')
  await untilOwn(first, 9)
  first.process.child.kill('SIGKILL')
  await first.process.ended
  const left = await ownOf(profile)
  const second = await serveTidemark(profile)
  expect(second.said.profile).toBe(profile)
  expect(await ownOf(profile)).toBeGreaterThanOrEqual(left)
  second.process.child.kill('SIGINT')
  expect(await second.process.ended).toMatchObject({code: 0, err: ''})
})

test('a port that is taken is told on standard error, and nothing is said to be served', PATIENT, async () => {
  const first = await serveTidemark(profileFolder())
  const taken = ['serve', '--profile', profileFolder(), '--json', '--no-open', '--page-elsewhere']
  const second = await tidemark(...taken, '--port', String(first.said.port)).ended
  expect(second).toMatchObject({code: 1, out: ''})
  expect(second.err).toContain(String(first.said.port))
})
