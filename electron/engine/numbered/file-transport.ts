import {type FileHandle, open, stat} from 'node:fs/promises'
import {err, ok} from '../../../shared/base/result.ts'
import {type Cursor, compareCursors} from '../../../shared/cursor/cursor.ts'
import {classifyNumbered} from '../../../shared/frames/numbered-message.ts'
import type {NumberedShape} from '../../../shared/source/numbered.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {Clock} from '../clock.ts'
import {errorCode} from '../switch/http-request.ts'
import type {StreamEnd} from '../switch/transport.ts'
import {createLineSplitter} from '../wire/line-splitter.ts'
import {messagesOf} from './read-lines.ts'
import type {MessageArrival, NumberedStream, NumberedTransport} from './transport.ts'

const PIECE_BYTES = 65_536
/** A file that may grow is looked at again after so long. In ms. */
const LOOK_MS = 250

/**
 * A file of JSON lines, read from its beginning and then as it grows. There is nobody to ask, so this side does what a server
 * of the documented model does: it leaves out what is not greater than the cursor, and tells a cursor that is ahead of
 * everything in the file.
 */
export function fileTransport(path: string, shape: NumberedShape, clock: Clock): NumberedTransport {
  return {
    async open({from, future}, signal) {
      const opened = await openFile(path)
      if (typeof opened === 'string') return err(refusedBy(opened, path))
      const file: OpenFile = {handle: opened, path, offset: 0, splitter: createLineSplitter()}
      if (from === undefined) return ok(follow(file, [], undefined, {clock, signal}))
      const sieve = createSieve(from, shape)
      const first = await firstBehind(file, sieve, signal)
      if (typeof first === 'string') {
        await opened.close()
        return err(refusedBy(first, path))
      }
      if (!sieve.isPast() && future === 'fail') {
        await opened.close()
        return err({kind: 'futureCursor', detail: `${path} ends before {${from.generation}, ${from.sequence}}`})
      }
      return ok(follow(file, first, sieve, {clock, signal}))
    },
  }
}

/** A folder opens like a file, and only a read of it fails. */
async function openFile(path: string): Promise<FileHandle | string> {
  const opened = await open(path, 'r').catch((cause: unknown) => errorCode(cause))
  if (typeof opened === 'string' || !(await opened.stat()).isDirectory()) return opened
  await opened.close()
  return 'EISDIR'
}

/** ENOTDIR: a part of the path is a file, so that there is none below it. */
function refusedBy(code: string, path: string): Ending {
  return code === 'ENOENT' || code === 'ENOTDIR' ? {kind: 'noFile', path} : {kind: 'fileUnreadable', detail: code}
}

interface OpenFile {
  readonly handle: FileHandle
  readonly path: string
  readonly splitter: ReturnType<typeof createLineSplitter>
  offset: number
}

interface Sieve {
  readonly pass: (messages: readonly MessageArrival[]) => readonly MessageArrival[]
  /** It met the cursor, or what is greater. */
  readonly isPast: () => boolean
}

function createSieve(from: Cursor, shape: NumberedShape): Sieve {
  let past = false
  const passes = (arrival: MessageArrival): boolean => {
    if (past) return true
    const message = arrival.kind === 'message' ? classifyNumbered(arrival.text, shape) : undefined
    if (message?.kind !== 'numbered') return false
    const order = compareCursors(message.cursor, from)
    past = order === 'equal' || order === 'after'
    return order === 'after'
  }
  return {pass: (messages) => messages.filter(passes), isPast: () => past}
}

/** Reads up to the piece that brings it past the cursor, or to the end of what is there. */
async function firstBehind(
  file: OpenFile,
  sieve: Sieve,
  signal: AbortSignal,
): Promise<readonly MessageArrival[] | string> {
  try {
    while (!signal.aborted && !sieve.isPast()) {
      const piece = await readPiece(file)
      if (piece === undefined) return []
      const found = sieve.pass(piece)
      if (sieve.isPast()) return found
    }
    return []
  } catch (cause) {
    return errorCode(cause)
  }
}

/** @returns `undefined` at the end of what is there */
async function readPiece(file: OpenFile): Promise<readonly MessageArrival[] | undefined> {
  const {bytesRead, buffer} = await file.handle.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES, file.offset)
  if (bytesRead === 0) return undefined
  file.offset += bytesRead
  return file.splitter.feed(buffer.subarray(0, bytesRead)).flatMap(messagesOf)
}

async function* follow(
  file: OpenFile,
  first: readonly MessageArrival[],
  sieve: Sieve | undefined,
  {clock, signal}: {readonly clock: Clock; readonly signal: AbortSignal},
): NumberedStream {
  try {
    yield first
    while (!signal.aborted) {
      const piece = await readPiece(file)
      if (piece !== undefined) {
        yield sieve === undefined ? piece : sieve.pass(piece)
        continue
      }
      if (!(await isSame(file))) return {kind: 'closed'}
      await clock.wait(LOOK_MS, signal)
    }
    return {kind: 'dropped', code: 'ABORTED'}
  } catch (cause) {
    return {kind: 'dropped', code: errorCode(cause)} satisfies StreamEnd
  } finally {
    await file.handle.close()
  }
}

/** It was not replaced by another one, nor cut. */
async function isSame({handle, path, offset}: OpenFile): Promise<boolean> {
  const [read, named] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)])
  return named !== undefined && named.ino === read.ino && named.dev === read.dev && read.size >= offset
}
