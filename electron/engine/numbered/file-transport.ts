import {open, stat} from 'node:fs/promises'
import {err, ok} from '../../../shared/base/result.ts'
import {type Cursor, compareCursors} from '../../../shared/cursor/cursor.ts'
import {classifyNumbered} from '../../../shared/frames/numbered-message.ts'
import type {NumberedShape} from '../../../shared/source/numbered.ts'
import type {ResumeAsk} from '../../../shared/source/resume-request.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {Clock} from '../clock.ts'
import {errorCode} from '../switch/http-request.ts'
import type {StreamEnd} from '../switch/transport.ts'
import {createLineSplitter} from '../wire/line-splitter.ts'
import {messagesOf} from './read-lines.ts'
import type {MessageArrival, NumberedStream, NumberedTransport} from './transport.ts'

const PIECE_BYTES = 65_536
/** What was read last is read again with what follows: a file that was cut, and has grown past that place since, has another text there. */
const TAIL_BYTES = 1_024
/** A file that may grow is looked at again after so long. In ms. */
const LOOK_MS = 250

/** Where files are. */
export interface Files {
  readonly open: (path: string) => Promise<FileReader>
  readonly stat: (path: string) => Promise<FileFacts>
}

export interface FileReader {
  readonly read: (
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{readonly bytesRead: number}>
  readonly stat: () => Promise<FileFacts>
  readonly close: () => Promise<void>
}

interface FileFacts {
  readonly ino: number
  readonly dev: number
  readonly isDirectory: () => boolean
}

const DISK: Files = {open: (path) => open(path, 'r'), stat: (path) => stat(path)}

/**
 * A file of JSON lines, read from its beginning and then as it grows. There is nobody to ask, so this side does what a server
 * of the documented model does: it leaves out what is not greater than the cursor, and tells a cursor that is ahead of
 * everything in the file.
 */
export function fileTransport(
  path: string,
  shape: NumberedShape,
  clock: Clock,
  files: Files = DISK,
): NumberedTransport {
  return {
    async open({from, future}, signal) {
      const opened = await openFile(path, files)
      if (typeof opened === 'string') return err(refusedBy(opened, path))
      const handle = closedWith(opened, signal)
      const file: OpenFile = {handle, path, files, offset: 0, tail: new Uint8Array(), splitter: createLineSplitter()}
      if (from === undefined) return ok(follow(file, [], undefined, {clock, signal}))
      const sieve = createSieve(from, shape)
      const first = await firstBehind(file, sieve, signal)
      const refusal = typeof first === 'string' ? unread(first, path) : notPast(sieve, {from, future}, path)
      if (typeof first !== 'string' && refusal === undefined) return ok(follow(file, first, sieve, {clock, signal}))
      await handle.close()
      return err(refusal ?? {kind: 'closed'})
    },
  }
}

function notPast(sieve: Sieve, {from, future}: ResumeAsk, path: string): Ending | undefined {
  if (sieve.isPast() || from === undefined || future !== 'fail') return undefined
  return {kind: 'futureCursor', detail: `${path} ends before {${from.generation}, ${from.sequence}}`}
}

/** Closed with the signal too: a stream that was opened and never read ends by nothing else. */
function closedWith(handle: FileReader, signal: AbortSignal): FileReader {
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    signal.removeEventListener('abort', leave)
    closed ??= handle.close()
    return closed
  }
  const leave = (): void => void close().catch(() => {})
  signal.addEventListener('abort', leave, {once: true})
  if (signal.aborted) leave()
  return {read: handle.read.bind(handle), stat: handle.stat.bind(handle), close}
}

/** A folder opens like a file, and only a read of it fails. */
async function openFile(path: string, files: Files): Promise<FileReader | string> {
  const opened = await files.open(path).catch((cause: unknown) => errorCode(cause))
  if (typeof opened === 'string' || !(await opened.stat()).isDirectory()) return opened
  await opened.close()
  return 'EISDIR'
}

function unread(code: string, path: string): Ending {
  return code === CUT ? {kind: 'closed'} : refusedBy(code, path)
}

/** ENOTDIR: a part of the path is a file, so that there is none below it. */
function refusedBy(code: string, path: string): Ending {
  return code === 'ENOENT' || code === 'ENOTDIR' ? {kind: 'noFile', path} : {kind: 'fileUnreadable', detail: code}
}

interface OpenFile {
  readonly handle: FileReader
  readonly path: string
  readonly files: Files
  readonly splitter: ReturnType<typeof createLineSplitter>
  offset: number
  /** What stands before that. */
  tail: Uint8Array
}

/** What was read is no longer in the file. */
const CUT = 'cut'

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
      if (piece === CUT) return CUT
      const found = sieve.pass(piece)
      if (sieve.isPast()) return found
    }
    return []
  } catch (cause) {
    return errorCode(cause)
  }
}

/** @returns `undefined` at the end of what is there */
async function readPiece(file: OpenFile): Promise<readonly MessageArrival[] | typeof CUT | undefined> {
  const {handle, tail, offset, splitter} = file
  const bytes = new Uint8Array(tail.length + PIECE_BYTES)
  const {bytesRead} = await handle.read(bytes, 0, bytes.length, offset - tail.length)
  if (bytesRead < tail.length || Buffer.compare(bytes.subarray(0, tail.length), tail) !== 0) return CUT
  if (bytesRead === tail.length) return undefined
  file.offset += bytesRead - tail.length
  file.tail = bytes.slice(Math.max(0, bytesRead - TAIL_BYTES), bytesRead)
  return splitter.feed(bytes.subarray(tail.length, bytesRead)).flatMap(messagesOf)
}

async function* follow(
  file: OpenFile,
  first: readonly MessageArrival[],
  sieve: Sieve | undefined,
  {clock, signal}: {readonly clock: Clock; readonly signal: AbortSignal},
): NumberedStream {
  let isReplaced = false
  try {
    yield first
    while (!signal.aborted) {
      const piece = await readPiece(file)
      if (piece === CUT) return {kind: 'closed'}
      if (piece !== undefined) {
        yield sieve === undefined ? piece : sieve.pass(piece)
        continue
      }
      if (isReplaced) return {kind: 'closed'}
      isReplaced = !(await isSame(file))
      // Whoever replaced it may have written to it before, behind what was read.
      if (!isReplaced) await clock.wait(LOOK_MS, signal)
    }
    return {kind: 'dropped', code: 'ABORTED'}
  } catch (cause) {
    return {kind: 'dropped', code: errorCode(cause)} satisfies StreamEnd
  } finally {
    await file.handle.close()
  }
}

/** Its name leads to no other file. */
async function isSame({handle, path, files}: OpenFile): Promise<boolean> {
  const [read, named] = await Promise.all([handle.stat(), files.stat(path).catch(() => undefined)])
  return named !== undefined && named.ino === read.ino && named.dev === read.dev
}
