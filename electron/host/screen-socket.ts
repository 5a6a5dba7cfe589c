import type {WebSocket} from 'ws'
import {isJsonObject, member, parseJson} from '../../shared/base/json.ts'
import type {ChangeBatch} from '../../shared/contract/contract.ts'
import type {Engine} from '../engine/engine.ts'
import {serve} from '../engine/serve.ts'
import {sameToken} from './token.ts'

/** The close code for a token that is not this run's. A retry would send the same one. */
const BAD_TOKEN = 4401
/** A screen introduces itself within this time, in ms. */
const PATIENCE_MS = 5_000
/** A screen that is this many bytes behind gets no more batches until it has caught up; the jump in their numbers tells it. */
const BEHIND_BYTES = 4 * 1024 * 1024

/**
 * One screen: its first message is the token, then each is a request `{id, channel, input}`, answered by `{id, result}`.
 * Batches of changes go out by themselves as `{changes}`.
 */
export function serveScreen(socket: WebSocket, engine: Engine, token: string, patienceMs = PATIENCE_MS): void {
  const late = setTimeout(() => socket.close(BAD_TOKEN, 'no token came'), patienceMs)
  let unsubscribe: (() => void) | undefined
  socket.on('close', () => {
    clearTimeout(late)
    unsubscribe?.()
  })
  socket.on('error', () => socket.terminate()) // a broken frame or a reset: the screen will come again
  socket.on('message', (raw) => {
    const message = parseJson(String(raw))
    if (unsubscribe !== undefined) return void answer(socket, engine, message)
    clearTimeout(late)
    if (!isJsonObject(message) || !sameToken(member(message, 'token'), token))
      return socket.close(BAD_TOKEN, 'the token is not this run’s')
    unsubscribe = engine.subscribe((batch) => sendBatch(socket, batch))
    socket.send(JSON.stringify({ready: true}))
  })
}

function sendBatch(socket: WebSocket, changes: ChangeBatch): void {
  if (socket.readyState === socket.OPEN && socket.bufferedAmount < BEHIND_BYTES) socket.send(JSON.stringify({changes}))
}

async function answer(socket: WebSocket, engine: Engine, message: unknown): Promise<void> {
  if (!isJsonObject(message)) return
  const id = member(message, 'id')
  const channel = member(message, 'channel')
  if (typeof id !== 'number' || typeof channel !== 'string') return
  const result = await serve(engine.handlers, channel, member(message, 'input'))
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({id, result}))
}
