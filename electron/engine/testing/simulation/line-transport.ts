import {err, ok, type Result} from '../../../../shared/base/result.ts'
import {readRefusal} from '../../../../shared/source/read-refusal.ts'
import type {Refusal} from '../../../../shared/source/refusal.ts'
import {readBeatAsk} from '../../../demo/beat-ask.ts'
import {readOpenAsk} from '../../../demo/open-ask.ts'
import type {Reply} from '../../../demo/replies.ts'
import {beatBody, openHeaders, openUrl} from '../../switch/bridge-url.ts'
import type {BeatRequest, OpenRequest, OpenStream, SwitchTarget, SwitchTransport} from '../../switch/transport.ts'
import {createSseReader} from '../../wire/sse-reader.ts'
import {asked, type TransportWeather} from './asked.ts'
import type {BridgeServer} from './bridge-server.ts'
import type {Dice} from './dice.ts'
import {heed, type Mortal} from './heed.ts'
import {createLine, type Line} from './line.ts'
import {type Schedule, WORLD} from './schedule.ts'

/** What watches the wire. */
export interface TransportWatch {
  readonly opens: (request: OpenRequest) => void
  readonly over: () => void
  readonly beats: (request: BeatRequest) => void
  readonly received: (block: string) => void
  /** A body that is open now, so that others can break it. */
  readonly line: (line: Line | undefined) => void
}

interface Parts {
  readonly schedule: Schedule
  readonly dice: Dice
  readonly weather: TransportWeather
  readonly life: Mortal
  readonly server: BridgeServer
  readonly target: SwitchTarget
  readonly watch: TransportWatch
}

/** As the HTTP transport has them. In ms. */
const OPEN_MS = 10_000
const BEAT_MS = 4_000

/** Carries a stream without sockets: what is said is the same text, and everything on the way takes time or is lost. */
export function lineTransport(parts: Parts): SwitchTransport {
  const {watch} = parts
  return {
    async open(request, signal) {
      watch.opens(request)
      const answer = await asked<OpenStream, Refusal>(
        parts,
        OPEN_MS,
        signal,
        (reply) => open(parts, request, signal, reply),
        network,
      )
      if (!answer.ok) watch.over()
      return answer
    },
    beat(request, signal) {
      watch.beats(request)
      const beat = (reply: (answer: Result<undefined, Refusal>) => void): void => {
        const ask = readBeatAsk(beatBody(request))
        const said = ask.ok ? parts.server.beat(ask.value) : ask.error
        if (said !== undefined) reply(said.status === 200 ? ok(undefined) : err(refusalOf(said)))
      }
      return asked(parts, BEAT_MS, signal, beat, network)
    },
  }
}

function open(
  parts: Parts,
  request: OpenRequest,
  signal: AbortSignal,
  reply: (answer: Result<OpenStream, Refusal>) => void,
): void {
  const {schedule, server, weather, life, watch} = parts
  const url = openUrl(parts.target, request)
  if (!url.ok) return reply(err(network('ERR_INVALID_URL')))
  const ask = readOpenAsk(url.value.searchParams, openHeaders(request)['last-event-id'])
  if (!ask.ok) return reply(err(refusalOf(ask.error)))
  let gone = (): void => {}
  const line = createLine({...parts, onGone: () => schedule.after(weather.latency(), 'server', WORLD, () => gone())})
  const opened = server.open(ask.value, line)
  if (!opened.ok) return reply(err(refusalOf(opened.error)))
  gone = () => server.gone(opened.value)
  // A socket whose reader died, or gave up, is found closed after a moment.
  if (!life.alive() || signal.aborted) return line.abort()
  heed(life, signal, line.abort)
  watch.line(line)
  reply(ok({batches: read(line, watch)}))
}

async function* read(line: Line, watch: TransportWatch): OpenStream['batches'] {
  const reader = createSseReader()
  for (;;) {
    const next = await line.pull()
    if (next.kind !== 'piece') {
      watch.line(undefined)
      watch.over()
      return next
    }
    for (const block of next.blocks) watch.received(block)
    yield reader.feed(next.bytes)
  }
}

function refusalOf({status, contentType, body}: Reply): Refusal {
  return readRefusal({status, body, ...(contentType === undefined ? {} : {contentType})})
}

function network(code: string): Refusal {
  return {kind: 'network', code, detail: 'simulated'}
}
