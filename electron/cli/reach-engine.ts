import {once} from 'node:events'
import {WebSocket} from 'ws'
import {isJsonObject, member, parseJson} from '../../shared/base/json.ts'
import {messageOf} from '../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import {type Client, createClient} from '../../shared/contract/client.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainStoreError} from '../../shared/words/explain-store-error.ts'
import {serve} from '../engine/serve.ts'
import {type ProfileOwner, readOwner} from '../engine/store/profile-lock.ts'
import {openHostProfile} from '../host/open-host-profile.ts'
import {VERSION} from './version.ts'

/** An engine that does what the command line asks: the one that owns the profile, or one of our own for the time of a command. */
export interface ReachedEngine {
  readonly client: Client
  readonly close: () => Promise<void>
}

/**
 * The host that owns the profile is asked over its own socket, as any page would. Where nobody owns it, it is opened here, and only
 * the sources that are meant are watched meanwhile.
 *
 * @returns why neither is possible, in one line
 */
export async function reachEngine(
  directory: string,
  watches: (source: SourceRecord) => boolean,
): Promise<Result<ReachedEngine, string>> {
  const owner = readOwner(directory)
  const running = owner?.url === undefined ? undefined : await connect(owner.url)
  if (running?.ok === true) return running
  const troubles: string[] = []
  const onTrouble = (error: Parameters<typeof explainStoreError>[0]): void =>
    void troubles.push(inOneLine(explainStoreError(error)))
  const profile = await openHostProfile({directory, version: VERSION, watches, onTrouble})
  if (profile.ok) {
    const {engine, close} = profile.value
    const request = (channel: string, input: unknown): Promise<unknown> => serve(engine.handlers, channel, input)
    return ok({client: createClient({request, subscribe: () => () => {}}), close})
  }
  if (profile.error.kind !== 'owned') return err(inOneLine(explainStoreError(profile.error)))
  return err(ownedWords(profile.error.owner, running?.error))
}

function ownedWords(owner: ProfileOwner | undefined, why: string | undefined): string {
  const who = owner === undefined ? 'Another Tidemark' : `Process ${owner.pid}, in ${owner.mode} mode,`
  const how = why === undefined ? 'and serves no address: do it in its window' : `and does not answer: ${why}`
  return `${who} owns the profile ${how}.`
}

/** As a page does: the token is the first message, and never in an address that is asked for. */
async function connect(url: string): Promise<Result<ReachedEngine, string>> {
  const page = new URL(url)
  const socket = new WebSocket(`ws://${page.host}/ws`)
  try {
    await once(socket, 'open')
    socket.send(JSON.stringify({token: new URLSearchParams(page.hash.slice(1)).get('token') ?? ''}))
    const [first] = await once(socket, 'message')
    const said = parseJson(String(first))
    if (!isJsonObject(said) || member(said, 'ready') !== true)
      throw new Error('it said something else than that it is ready')
  } catch (cause) {
    socket.terminate()
    return err(messageOf(cause))
  }
  return ok({client: createClient(transportOf(socket)), close: async () => socket.close()})
}

function transportOf(socket: WebSocket): Parameters<typeof createClient>[0] {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let next = 1
  socket.on('message', (raw) => {
    const answer = parseJson(String(raw))
    const id = isJsonObject(answer) ? member(answer, 'id') : undefined
    if (!isJsonObject(answer) || typeof id !== 'number') return // a batch of changes: nobody here draws them
    waiting.get(id)?.resolve(member(answer, 'result'))
    waiting.delete(id)
  })
  const gone = (why: string): void => {
    for (const {reject} of waiting.values()) reject(new Error(why))
    waiting.clear()
  }
  socket.on('error', ({message}) => gone(message))
  socket.on('close', () => gone('the connection ended'))
  return {
    subscribe: () => () => {},
    request(channel, input) {
      if (socket.readyState !== socket.OPEN) return Promise.reject(new Error('the connection ended'))
      const answer = Promise.withResolvers<unknown>()
      const id = next++
      waiting.set(id, answer)
      socket.send(JSON.stringify({id, channel, input}))
      return answer.promise
    },
  }
}
