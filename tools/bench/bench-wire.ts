import {createSseReader} from '../../electron/engine/wire/sse-reader.ts'
import {parseJson} from '../../shared/base/json.ts'
import {classifySwitchFrame} from '../../shared/frames/classify-switch-frame.ts'
import type {Figure} from './figure.ts'
import {inTurns, median} from './measure.ts'
import {createSwitchText, cutInto} from './switch-text.ts'

const ROUNDS = 21
const FRAMES = 50_000
const PIECE_BYTES = 65_536
const LARGE_BYTES = 8_300_000
/** Of one TCP segment. */
const SEGMENT_BYTES = 1_460

/** From the wire to the classified frame, without a socket and without a store, in time of the processor: nothing here waits. */
export async function benchWire(): Promise<readonly Figure[]> {
  return [...(await smallFrames()), ...(await largeFrames())]
}

async function smallFrames(): Promise<readonly Figure[]> {
  const body = createSwitchText().take(FRAMES)
  const times = await inTurns(ROUNDS, {
    ours: () => classifyAll(body, PIECE_BYTES, FRAMES),
    floor: () => parseAll(body, PIECE_BYTES, FRAMES),
    naive: () => searchAll(body, PIECE_BYTES, FRAMES),
  })
  const rate = (all: readonly number[]): number => FRAMES / median(all) / 1_000
  const what = 'wire to classified, frames of 350 bytes'
  const ours = rate(times.ours.cpuMs)
  return [
    {what, unit: 'M/s', ours, floor: {what: 'decode, JSON.parse', value: rate(times.floor.cpuMs)}},
    {
      what,
      unit: 'M/s',
      ours,
      floor: {what: 'a reader made as Switch’s own is', value: rate(times.naive.cpuMs)},
      goal: {kind: 'faster', atLeast: 2},
    },
  ]
}

/** A frame ten times as large must cost ten times as much, however it is cut. */
async function largeFrames(): Promise<readonly Figure[]> {
  const [large, small] = [largeFrame(LARGE_BYTES), largeFrame(LARGE_BYTES / 10)]
  const times = await inTurns(ROUNDS, {
    ours: () => classifyAll(large, SEGMENT_BYTES, 1),
    floor: () => parseAll(large, SEGMENT_BYTES, 1),
    tenth: () => classifyAll(small, SEGMENT_BYTES, 1),
  })
  const ours = median(times.ours.cpuMs)
  return [
    {
      what: `one frame of ${(LARGE_BYTES / 1e6).toFixed(1)} MB in pieces of ${SEGMENT_BYTES} bytes`,
      unit: 'ms',
      ours,
      floor: {what: 'decode, JSON.parse', value: median(times.floor.cpuMs)},
      goal: {kind: 'value', atMost: 100},
    },
    {
      what: 'the same, against ten frames of a tenth of its size',
      unit: 'ms',
      ours,
      floor: {what: 'ten times a tenth', value: 10 * median(times.tenth.cpuMs)},
    },
  ]
}

function largeFrame(bytes: number): Buffer {
  const data = {type: 'message', room_id: 'room-1', payload: {body: 'a'.repeat(bytes)}, position: {s: 1}}
  return Buffer.from(`id: 1\nevent: message\ndata: ${JSON.stringify(data)}\n\n`)
}

function classifyAll(body: Buffer, pieceBytes: number, frames: number): void {
  const reader = createSseReader()
  let classified = 0
  for (const piece of cutInto(body, pieceBytes))
    for (const arrival of reader.feed(piece))
      if (arrival.kind === 'frame' && classifySwitchFrame(arrival.frame).ok) classified += 1
  expectAll(classified, frames)
}

/** The least that anybody does who wants to know what a frame says. */
function parseAll(body: Buffer, pieceBytes: number, frames: number): void {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  for (const piece of cutInto(body, pieceBytes)) pieces.push(decoder.decode(piece, {stream: true}))
  const text = pieces.join('')
  let [at, parsed] = [0, 0]
  for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', at)) {
    if (parseJson(text.slice(text.indexOf('data: ', at) + 6, end)) !== undefined) parsed += 1
    at = end + 2
  }
  expectAll(parsed, frames)
}

/** As Switch's own client does it: a web stream, its text searched from the beginning and split into lines, and one frame after another handed on. */
async function searchAll(body: Buffer, pieceBytes: number, frames: number): Promise<void> {
  let parsed = 0
  for await (const data of searched(ReadableStream.from(cutInto(body, pieceBytes)))) if (data !== undefined) parsed += 1
  expectAll(parsed, frames)
}

async function* searched(pieces: ReadableStream<Buffer>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of pieces) {
    text += decoder.decode(piece, {stream: true})
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = fieldsOf(text.slice(0, end))
      text = text.slice(end + 2)
      yield parseJson(fields.get('data') ?? '')
    }
  }
}

function fieldsOf(block: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  return fields
}

function expectAll(read: number, frames: number): void {
  if (read !== frames) throw new Error(`${read} frames were read of ${frames}`)
}
