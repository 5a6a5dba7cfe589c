import {type FileHandle, open} from 'node:fs/promises'
import {messageOf} from '../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import type {Position} from '../../shared/position/position.ts'
import type {PrimeLine} from '../engine/replay/prime-lines.ts'
import type {ReplayLine} from '../engine/replay/replay-lines.ts'
import type {ReplayCallback} from '../engine/replay/replay-options.ts'
import {parseChunks, parsePrimeStart, parseReplayCallback, parseStart} from '../engine/replay/replay-options.ts'
import {type PrimeReplayOptions, replayPrime} from '../engine/replay/replay-prime.ts'
import {isStrictFailure, replaySwitch} from '../engine/replay/replay-switch.ts'
import {describePrimeLine} from './describe-prime-line.ts'
import {describeReplayLine} from './describe-replay-line.ts'
import {EXIT} from './exit-codes.ts'
import {type Output, printable} from './output.ts'
import {openReplayProfile} from './replay-profile.ts'
import {OutputFailed, ReaderGone} from './terminal.ts'

export interface ReplayArguments {
  readonly file: string
  readonly protocol: string
  readonly start?: string
  readonly chunks?: string
  readonly onEvent?: string
  readonly onGap?: string
  readonly strict?: boolean
  readonly json?: boolean
  readonly profile?: string
}

type Wanted = WantedSwitch | WantedPrime

interface WantedPrime extends PrimeReplayOptions {
  readonly protocol: 'prime'
}

interface WantedSwitch {
  readonly protocol: 'switch'
  readonly start?: Position
  readonly chunks?: readonly number[]
  readonly onEvent: ReplayCallback
  readonly onGap: ReplayCallback
}

/** `tidemark replay`. Returns the exit code. */
export async function runReplay(args: ReplayArguments, output: Output): Promise<number> {
  const wanted = parse(args)
  if (!wanted.ok) return usage(wanted.error, output)
  // Before a profile is asked for: of a file that cannot be read, nothing is to stay in it.
  const opened = await openBytes(args.file)
  if (!opened.ok) return failed(`${args.file} could not be replayed: ${opened.error}`, output)
  const bytes = opened.value
  try {
    return await replayInto(bytes, wanted.value, args, output)
  } catch (cause) {
    // Of what a reader left unread nothing is known, so `--strict` cannot say that it was in order.
    if (cause instanceof ReaderGone) return args.strict === true ? EXIT.failed : EXIT.ok
    if (cause instanceof OutputFailed) throw cause
    return failed(`${args.file} could not be replayed: ${messageOf(cause)}`, output)
  } finally {
    await bytes.close()
  }
}

async function replayInto(bytes: Bytes, wanted: Wanted, args: ReplayArguments, output: Output): Promise<number> {
  if (wanted.protocol === 'prime') return print(replayPrime(bytes.read(), wanted), args, output)
  if (args.profile === undefined) return print(replaySwitch(bytes.read(), wanted), args, output)
  const target = await openReplayProfile(args.profile, args.file, wanted.start)
  if (!target.ok) return failed(target.error, output)
  try {
    return await print(replaySwitch(bytes.read(), wanted, target.value), args, output)
  } finally {
    await target.value.close()
  }
}

function parse(args: ReplayArguments): Result<Wanted, string> {
  if (args.protocol !== 'switch' && args.protocol !== 'prime') return err('--protocol is switch or prime')
  const chunks = given(args.chunks, parseChunks)
  if (!chunks.ok) return chunks
  const cutting = chunks.value === undefined ? {} : {chunks: chunks.value}
  const wanted = args.protocol === 'prime' ? parsePrime(args) : parseSwitch(args)
  return wanted.ok ? ok({...wanted.value, ...cutting}) : wanted
}

function parsePrime(args: ReplayArguments): Result<WantedPrime, string> {
  if (args.onEvent !== undefined || args.onGap !== undefined)
    return err('--on-event and --on-gap are of the Switch protocol: a Prime stream has no callbacks to reject')
  if (args.profile !== undefined)
    return err('a Prime stream is not kept in a profile by this version: leave out --profile')
  const start = given(args.start, parsePrimeStart)
  if (!start.ok) return start
  return ok({protocol: 'prime', ...(start.value === undefined ? {} : {start: start.value})})
}

function parseSwitch(args: ReplayArguments): Result<WantedSwitch, string> {
  const start = given(args.start, parseStart)
  if (!start.ok) return start
  const onEvent = parseReplayCallback(args.onEvent ?? 'ok')
  if (!onEvent.ok) return onEvent
  const onGap = parseReplayCallback(args.onGap ?? 'ok')
  if (!onGap.ok) return onGap
  const hypothetical = onEvent.value !== 'ok' || onGap.value !== 'ok'
  if (hypothetical && args.profile !== undefined)
    return err('a hypothetical result is not kept: leave out --profile or the rejecting option')
  const callbacks = {onEvent: onEvent.value, onGap: onGap.value}
  return ok({protocol: 'switch', ...callbacks, ...(start.value === undefined ? {} : {start: start.value})})
}

/** An option that may have been left out. */
function given<T>(text: string | undefined, read: (text: string) => Result<T, string>): Result<T | undefined, string> {
  return text === undefined ? ok(undefined) : read(text)
}

interface Bytes {
  /** In the file system's own pieces, which `--chunks` cuts again. */
  readonly read: () => AsyncIterable<Uint8Array>
  readonly close: () => Promise<void>
}

/** Standard input for `-`. */
async function openBytes(file: string): Promise<Result<Bytes, string>> {
  // A source that has more to say would keep the process alive after its reader has gone.
  if (file === '-') return ok({read: () => process.stdin, close: async () => void process.stdin.destroy()})
  let handle: FileHandle
  try {
    handle = await open(file)
  } catch (cause) {
    return err(messageOf(cause))
  }
  if (!(await handle.stat()).isDirectory())
    return ok({read: () => handle.createReadStream(), close: () => handle.close()})
  await handle.close()
  return err('it is a folder')
}

async function print(
  lines: AsyncIterable<ReplayLine | PrimeLine>,
  args: ReplayArguments,
  output: Output,
): Promise<number> {
  let strictFailure = false
  for await (const line of lines) {
    await output.line(args.json === true ? JSON.stringify(line) : printable(lineText(line)))
    if (line.fact === 'end') strictFailure = 'sessions' in line ? line.malformed > 0 : isStrictFailure(line)
  }
  return args.strict === true && strictFailure ? EXIT.strict : EXIT.ok
}

/** A line of either protocol: only a Switch one has a position. */
function lineText(line: ReplayLine | PrimeLine): string {
  return 'position' in line ? describeReplayLine(line) : describePrimeLine(line)
}

function usage(problem: string, output: Output): number {
  output.note(problem)
  return EXIT.usage
}

function failed(problem: string, output: Output): number {
  output.note(problem)
  return EXIT.failed
}
