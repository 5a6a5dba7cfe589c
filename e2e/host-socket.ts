import {once} from 'node:events'

/**
 * One request over a WebSocket of its own.
 *
 * @param url - of the running host, with its token
 */
export async function requestOverSocket(url: string, channel: string, input: unknown): Promise<unknown> {
  const socket = new WebSocket(socketUrl(url))
  await once(socket, 'open')
  await exchange(socket, {token: tokenOf(url)})
  try {
    const answer = await exchange(socket, {id: 1, channel, input})
    return answer['result']
  } finally {
    socket.close()
  }
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
