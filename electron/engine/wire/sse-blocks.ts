import {isAscii} from 'node:buffer'
import type {Arrival} from '../../../shared/frames/raw-frame.ts'
import {type BlockTail, createBlockTail} from './block-tail.ts'
import {createSseFields, type SseFields} from './sse-fields.ts'

/** Cuts a body of server-sent events into blocks, each ended by a blank line, and each block into a frame. */
export interface SseBlocks {
  /** Reads the next window of the body. */
  readonly read: (window: Buffer, arrivals: Arrival[]) => void
  /** A chunk of the transport ended here. */
  readonly cut: () => void
  /** Drops the unfinished block. */
  readonly forget: () => void
}

/** What is known of the unfinished block between two windows. */
interface Block {
  readonly capBytes: number
  readonly onWork: (bytes: number) => void
  readonly fields: SseFields
  readonly tail: BlockTail
  /** Where chunks ended inside the block, as offsets from its first byte. */
  cuts: number[]
  /** Where the unfinished line begins in the tail. */
  lineOffset: number
  /** The unfinished line has bytes already; a line end that comes next is no blank line. */
  lineBegun: boolean
  /** Over the cap: nothing of it is kept, only its end is looked for. */
  dropping: boolean
  /** The last byte was a CR. An LF that comes next is the second half of the same line end. */
  afterCr: boolean
}

/** One window while it is read. All offsets are into it. */
interface Reading {
  readonly bytes: Buffer
  /** One character a byte, so that offsets agree. */
  readonly text: string
  readonly value: (from: number, to: number) => string
  /** Where the part of the block begins that is not in the tail. */
  blockFrom: number
  lineFrom: number
}

const LF = 0x0a
const NONE = Number.POSITIVE_INFINITY
const NO_CUTS: readonly number[] = []

export function createSseBlocks(capBytes: number, onWork: (bytes: number) => void): SseBlocks {
  const block: Block = {
    capBytes,
    onWork,
    fields: createSseFields(),
    tail: createBlockTail(onWork),
    cuts: [],
    lineOffset: 0,
    lineBegun: false,
    dropping: false,
    afterCr: false,
  }
  return {
    read: (window, arrivals) => readWindow(block, window, arrivals),
    cut() {
      const length = block.tail.length()
      if (length > 0) block.cuts.push(length)
    },
    forget() {
      empty(block)
      Object.assign(block, {lineBegun: false, dropping: false, afterCr: false})
    },
  }
}

function readWindow(block: Block, bytes: Buffer, arrivals: Arrival[]): void {
  const text = bytes.toString('latin1')
  const value = isAscii(bytes)
    ? (from: number, to: number) => text.slice(from, to)
    : (from: number, to: number) => bytes.toString('utf8', from, to)
  const reading: Reading = {bytes, text, value, blockFrom: 0, lineFrom: 0}
  if (block.afterCr && bytes[0] === LF) skipSecondHalf(block, reading)
  block.afterCr = text.endsWith('\r')

  // Each search starts where the last one of its kind stopped, so a window is searched once for either line end.
  let lf = find(block, text, '\n', reading.lineFrom)
  let cr = find(block, text, '\r', reading.lineFrom)
  while (lf !== NONE || cr !== NONE) {
    const end = Math.min(lf, cr)
    const next = lf === cr + 1 ? lf + 1 : end + 1
    takeLine(block, reading, end, next, arrivals)
    if (lf < next) lf = find(block, text, '\n', next)
    if (cr < next) cr = find(block, text, '\r', next)
  }
  keepRest(block, reading, arrivals)
}

function find(block: Block, text: string, lineEnd: string, from: number): number {
  const at = text.indexOf(lineEnd, from)
  block.onWork((at < 0 ? text.length : at) - from)
  return at < 0 ? NONE : at
}

/** The LF belongs to the line end before it: to the blank line where that ended a block, else to the block's own bytes. */
function skipSecondHalf(block: Block, reading: Reading): void {
  reading.lineFrom = 1
  if (block.tail.length() === 0) reading.blockFrom = 1
}

/** One line, ending before `end`; the next one begins at `next`. */
function takeLine(block: Block, reading: Reading, end: number, next: number, arrivals: Arrival[]): void {
  if (block.lineBegun) takeBegunLine(block, reading, end)
  else if (end === reading.lineFrom) {
    endBlock(block, reading, arrivals)
    reading.blockFrom = next
  } else if (!block.dropping) block.fields.takeLine(reading.text, reading.lineFrom, end, reading.value)
  reading.lineFrom = next
}

/** The line's beginning is in the tail: its end joins it there, so that a character cut in two is whole again. */
function takeBegunLine(block: Block, reading: Reading, end: number): void {
  block.lineBegun = false
  if (block.dropping) return
  block.tail.append(reading.bytes.subarray(reading.blockFrom, end))
  reading.blockFrom = end
  const line = block.tail.textFrom(block.lineOffset)
  block.fields.takeLine(line, 0, line.length, (from, to) => line.slice(from, to))
}

/** A blank line begins at `lineFrom`. */
function endBlock(block: Block, {bytes, blockFrom, lineFrom}: Reading, arrivals: Arrival[]): void {
  const {tail, capBytes} = block
  const size = tail.length() + lineFrom - blockFrom
  if (size > capBytes && !block.dropping) arrivals.push({kind: 'tooLong', capBytes})
  const said = block.fields.take()
  if (said !== undefined && size <= capBytes) {
    const rest = new Uint8Array(bytes.buffer, bytes.byteOffset + blockFrom, lineFrom - blockFrom)
    if (tail.length() > 0) tail.append(rest)
    const {event, id, data} = said
    const whole = {bytes: tail.length() > 0 ? tail.take() : rest, cuts: cutsInside(block.cuts, size)}
    arrivals.push({kind: 'frame', frame: id === undefined ? {event, data, ...whole} : {event, id, data, ...whole}})
  }
  block.dropping = false
  empty(block)
}

function cutsInside(cuts: readonly number[], size: number): readonly number[] {
  if (cuts.length === 0) return NO_CUTS
  return cuts[cuts.length - 1] === size ? cuts.slice(0, -1) : cuts // the last may lie before the blank line
}

/** Puts what the window leaves of the unfinished block into the tail. */
function keepRest(block: Block, {bytes, blockFrom, lineFrom}: Reading, arrivals: Arrival[]): void {
  const {tail, capBytes} = block
  if (!block.lineBegun) {
    block.lineOffset = tail.length() + lineFrom - blockFrom
    block.lineBegun = lineFrom < bytes.length
  }
  if (block.dropping) return
  if (tail.length() + bytes.length - blockFrom > capBytes) {
    arrivals.push({kind: 'tooLong', capBytes})
    block.dropping = true
    empty(block)
  } else if (blockFrom < bytes.length) tail.append(bytes.subarray(blockFrom))
}

function empty(block: Block): void {
  block.fields.take()
  block.tail.clear()
  if (block.cuts.length > 0) block.cuts = []
  block.lineOffset = 0
}
