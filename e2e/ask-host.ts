import {once} from 'node:events'
import type {Result} from '../shared/base/result.ts'
import {createClient} from '../shared/contract/client.ts'
import type {Channel, Input, Output, RequestError} from '../shared/contract/contract.ts'

/**
 * One request over a WebSocket of its own, as any screen would make it: for what a spec needs and no button does.
 *
 * @param url - of the running app, with its token
 */
export async function askHost<C extends Channel>(
  url: string,
  channel: C,
  input: Input<C>,
): Promise<Result<Output<C>, RequestError>> {
  const socket = new WebSocket(socketUrl(url))
  await once(socket, 'open')
  await exchange(socket, {token: tokenOf(url)})
  const client = createClient({
    request: async (name, asked) => {
      const answer = await exchange(socket, {id: 1, channel: name, input: asked})
      return answer['result']
    },
    subscribe: () => () => {},
  })
  try {
    return await client.request(channel, input)
  } finally {
    socket.close()
  }
}

/** Watches a scenario of the demo with the callbacks that belong to it, which no button of the page does. */
export async function watchScenario(url: string, name: string, scenario: string): Promise<void> {
  const added = await askHost(url, 'sources.add', {name, settings: {kind: 'demo', scenario}})
  if (!added.ok) throw new Error(JSON.stringify(added.error))
}

export function socketUrl(url: string): string {
  return `ws://${new URL(url).host}/ws`
}

export function tokenOf(url: string): string {
  return new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''
}

/** Sends a message and waits for the next that is its answer; batches of changes come in between. */
function exchange(socket: WebSocket, message: object): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const onMessage = ({data}: MessageEvent<string>): void => {
      const answer: Record<string, unknown> = JSON.parse(data)
      if (Object.hasOwn(answer, 'changes')) return
      socket.removeEventListener('message', onMessage)
      resolve(answer)
    }
    socket.addEventListener('message', onMessage)
    socket.addEventListener('close', ({reason}) => reject(new Error(`the host ended the connection: ${reason}`)))
    socket.send(JSON.stringify(message))
  })
}
