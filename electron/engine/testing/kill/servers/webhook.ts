import {appendFileSync} from 'node:fs'
import {createServer, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {text} from 'node:stream/consumers'
import {isJsonObject} from '../../../../../shared/base/json.ts'
import {effectOfCommand} from '../command-handler.ts'

/** How far an answer gets; what is held there is never told more. */
export type Answering = 'nothing' | 'half' | 'whole'

/** Whom a handler of the user's tells of each frame. It outlives every Tidemark that tells it, and its effect is what it was told. */
export interface Webhook {
  readonly url: string
  readonly answers: (how: Answering) => void
  /** From here on effects are appended to this file, one JSON object a line. */
  readonly writesTo: (effects: string) => void
  /** How many requests came so far as they were to. */
  readonly done: () => number
  /** Names of the frames of which one request was answered whole. */
  readonly answered: () => ReadonlySet<string>
  /** The keys that came with each frame. */
  readonly keys: () => ReadonlyMap<string, ReadonlySet<string>>
  readonly close: () => Promise<void>
}

export async function startWebhook(): Promise<Webhook> {
  const answered = new Set<string>()
  const keys = new Map<string, Set<string>>()
  let [how, effects, done]: [Answering, string, number] = ['whole', '', 0]

  const answer = (response: ServerResponse, frame: string): void => {
    if (how === 'half') response.writeHead(200, {'Content-Length': '2'}).write('o')
    if (how === 'whole') {
      answered.add(frame)
      response.end('ok')
    }
    done += 1
  }
  const server = createServer(async (request, response) => {
    const input: unknown = JSON.parse(await text(request))
    if (!isJsonObject(input)) throw new Error('a webhook was told something else than a frame')
    appendFileSync(effects, `${JSON.stringify(input)}\n`, {flush: true})
    const {frame} = effectOfCommand(input)
    keys.set(frame, (keys.get(frame) ?? new Set()).add(String(request.headers['idempotency-key'])))
    answer(response, frame)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    answers(next) {
      how = next
    },
    writesTo(file) {
      effects = file
    },
    done: () => done,
    answered: () => answered,
    keys: () => keys,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
