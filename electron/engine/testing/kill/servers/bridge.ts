import {realClock} from '../../../../demo/demo-clock.ts'
import type {Scenario} from '../../../../demo/scenario.ts'
import {startDemoServer} from '../../../../demo/server.ts'
import {replaySwitch} from '../../../replay/replay-switch.ts'
import {firstDifference, framesOf} from '../../as-sent.ts'
import {bytesOf, startWiretap} from '../../wiretap.ts'
import type {KeptFrame, KeptProfile} from '../check-profile.ts'
import {textOfPosition} from '../point.ts'
import {isDone} from '../rules.ts'
import type {Server} from './server.ts'

/** A bridge in this process, which survives, and whose every byte is written down. */
export async function startBridge(scenario: Scenario, speed: number): Promise<Server> {
  const server = await startDemoServer({scenario, clock: realClock(), speed})
  const tap = await startWiretap(server.url)
  /** Of the frames and of the streams that earlier lives had. */
  const before = {frame: 0, streams: 0}
  return {
    source: {kind: 'bridge', url: tap.url, agentId: server.agentId, token: server.token},
    async examine(kept) {
      const newest = kept.frames.at(-1)?.id ?? 0
      if (newest < before.frame) before.frame = 0 // its profile is another one now
      const journaled = kept.frames.filter(({id}) => id > before.frame)
      const sent = tap.opens.slice(before.streams).map((open) => framesOf(bytesOf(open).toString('latin1')))
      before.frame = newest
      before.streams = tap.opens.length
      return [...unlikeSent(journaled, sent), ...(await unlikeReplay(kept))]
    },
    async close() {
      await tap.close()
      await server.close()
    },
  }
}

/** The cursor is where the bytes of what is done lead. */
async function unlikeReplay({frames, pruned, source}: KeptProfile): Promise<readonly string[]> {
  if (pruned.frames > 0) return []
  const held = textOfPosition(source?.position ?? [])
  const body = frames.filter(isDone).flatMap(({bytes}) => [bytes, Buffer.from('\n')])
  let position: object = {}
  for await (const line of replaySwitch(body, {})) position = line.position
  const replayed = textOfPosition(Object.entries(position))
  return replayed === held ? [] : [`the bytes of what is handled lead to ${replayed}, the cursor is ${held}`]
}

/** What a life journaled is what the server sent it: of each stream a beginning, byte by byte, none left out. */
function unlikeSent(journaled: readonly KeptFrame[], sent: readonly string[]): readonly string[] {
  const wrong: string[] = []
  let next = 0
  for (const received of streamsOf(journaled)) {
    const found = sent.findIndex((text, n) => n >= next && text.startsWith(received))
    if (found < 0) wrong.push(`journaled otherwise than sent: ${firstDifference(sent[next] ?? '', received)}`)
    else next = found + 1
  }
  return wrong
}

/** Every stream begins with the same kind of frame. One above the cap is kept without bytes, and ends its stream. */
function streamsOf(frames: readonly KeptFrame[]): readonly string[] {
  const streams: string[] = []
  for (const {event, bytes} of frames) {
    if (event === 'connection_state') streams.push('')
    if (bytes.length > 0) streams.push(`${streams.pop() ?? ''}${Buffer.from(bytes).toString('latin1')}\n`)
  }
  return streams
}
