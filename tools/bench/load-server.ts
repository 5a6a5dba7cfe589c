import {createServer, type ServerResponse} from 'node:http'
import {createSwitchText} from './switch-text.ts'

/*
 * A process of its own that sends frames to whoever opens its stream, at a steady rate: `node load-server.ts FRAMES_A_SECOND`. It
 * says its port, and ends with its standard input.
 */

const TICK_MS = 10
const framesATick = (Number(process.argv[2]) * TICK_MS) / 1_000

const text = createSwitchText()
const streams = new Set<ServerResponse>()

const server = createServer((request, response) => {
  request.resume()
  if (request.method === 'POST') return response.end('{}')
  response.writeHead(200, {'content-type': 'text/event-stream'})
  response.write(`event: connection_state\ndata: ${JSON.stringify({agent_id: 'bench', cursor: 0})}\n\n`)
  streams.add(response)
  response.on('close', () => streams.delete(response))
})

let begun = performance.now()
let sent = 0

/** By the clock and not by counted ticks, so that a late tick makes up for itself. */
function send(): void {
  if (streams.size === 0) {
    begun = performance.now()
    sent = 0
    return
  }
  const due = Math.floor(((performance.now() - begun) / TICK_MS) * framesATick) - sent
  if (due <= 0) return
  sent += due
  const frames = text.take(due)
  for (const stream of streams) stream.write(frames)
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(address?.port)
})
setInterval(send, TICK_MS)
process.stdin.resume().on('end', () => process.exit())
