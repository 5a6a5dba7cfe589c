import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {isJsonObject, member, parseJson, textOf} from '../../shared/base/json.ts'
import type {History} from './made-history.ts'

const MAIN = fileURLToPath(new URL('../../electron/cli/main.ts', import.meta.url))
const HOUR_MS = 3_600_000

/**
 * A host from its start until it has answered what a window shows first: the sources, the last hour of one, the newest frames, the
 * ledger. Painting it is the browser's. `undefined`: an empty profile, of which the same is asked. In ms.
 */
export async function untilContent(history: History | undefined, columns: number): Promise<number> {
  const profile = history?.directory ?? mkdtempSync(join(tmpdir(), 'tidemark-empty-'))
  const begun = performance.now()
  const host = spawn(process.execPath, [MAIN, ...SERVE, '--profile', profile], {stdio: ['ignore', 'pipe', 'inherit']})
  try {
    const socket = await openScreen(host)
    const source = history?.source ?? 'none'
    const to = history === undefined ? HOUR_MS : history.from + history.spanMs
    await asked(socket, [
      ['sources.list', {}],
      ['timeline.range', {source, from: to - HOUR_MS, to, columns}],
      ['frames.page', {filter: {}, limit: 200}],
      ['gaps.list', {limit: 200}],
    ])
    const ms = performance.now() - begun
    socket.close()
    return ms
  } finally {
    const gone = once(host, 'exit')
    host.kill()
    await gone
    if (history === undefined) rmSync(profile, {recursive: true})
  }
}

const SERVE = ['serve', '--json', '--no-open', '--port', '0', '--page-elsewhere']

async function openScreen({stdout}: ChildProcess): Promise<WebSocket> {
  if (stdout === null) throw new Error('the host has an output')
  const [line] = await once(stdout.setEncoding('utf8'), 'data')
  const said = parseJson(String(line))
  if (!isJsonObject(said)) throw new Error(`the host said ${line}`)
  const token = new URL(textOf(said, 'url') ?? '').hash.replace('#token=', '')
  const socket = new WebSocket(`ws://127.0.0.1:${member(said, 'port')}/ws`)
  await once(socket, 'open')
  socket.send(JSON.stringify({token}))
  await once(socket, 'message') // it is ready
  return socket
}

/** All at once, as a window does. Resolves when each was answered. */
async function asked(
  socket: WebSocket,
  requests: readonly (readonly [channel: string, input: unknown])[],
): Promise<void> {
  const open = new Set(requests.keys())
  const answered = new Promise<void>((resolve, reject) => {
    socket.addEventListener('message', ({data}) => {
      const said = parseJson(String(data))
      const id = isJsonObject(said) ? member(said, 'id') : undefined
      if (typeof id !== 'number' || !isJsonObject(said)) return
      const result = member(said, 'result')
      if (!isJsonObject(result) || member(result, 'ok') !== true) reject(new Error(`the host refused: ${data}`))
      open.delete(id)
      if (open.size === 0) resolve()
    })
  })
  for (const [id, [channel, input]] of requests.entries()) socket.send(JSON.stringify({id, channel, input}))
  await answered
}
