import {createReadStream} from 'node:fs'
import type {Result} from '../../shared/base/result.ts'
import type {Position} from '../../shared/position/position.ts'
import type {ReplayLine} from '../engine/replay/replay-lines.ts'
import type {ReplayCallback} from '../engine/replay/replay-options.ts'
import {parseChunks, parseReplayCallback, parseStart} from '../engine/replay/replay-options.ts'
import {isStrictFailure, replaySwitch} from '../engine/replay/replay-switch.ts'
import {describeReplayLine} from './describe-replay-line.ts'
import {EXIT} from './exit-codes.ts'
import {type Output, printable} from './output.ts'
import {openReplayProfile} from './replay-profile.ts'

export interface ReplayArguments {
  readonly file: string
  readonly protocol: string
  readonly start?: string
  readonly chunks?: string
  readonly onEvent: string
  readonly onGap: string
  readonly strict?: boolean
  readonly json?: boolean
  readonly profile?: string
}

interface Wanted {
  readonly start?: Position
  readonly chunks?: readonly number[]
  readonly onEvent: ReplayCallback
  readonly onGap: ReplayCallback
}

/** `tidemark replay`. Returns the exit code. */
export async function runReplay(args: ReplayArguments, output: Output): Promise<number> {
  const wanted = parse(args)
  if (!wanted.ok) return usage(wanted.error, output)
  const target =
    args.profile === undefined ? undefined : await openReplayProfile(args.profile, args.file, wanted.value.start)
  if (target !== undefined && !target.ok) return failed(target.error, output)
  try {
    const lines = replaySwitch(bytesOf(args.file), wanted.value, target?.value)
    return await print(lines, args, output)
  } catch (cause) {
    return failed(
      `${args.file} could not be replayed: ${cause instanceof Error ? cause.message : String(cause)}`,
      output,
    )
  } finally {
    await target?.value.close()
  }
}

function parse(args: ReplayArguments): Result<Wanted, string> {
  if (args.protocol === 'prime') return {ok: false, error: 'the Prime protocol is not read by this version yet'}
  if (args.protocol !== 'switch') return {ok: false, error: '--protocol is switch or prime'}
  const start = args.start === undefined ? undefined : parseStart(args.start)
  if (start !== undefined && !start.ok) return start
  const chunks = args.chunks === undefined ? undefined : parseChunks(args.chunks)
  if (chunks !== undefined && !chunks.ok) return chunks
  const onEvent = parseReplayCallback(args.onEvent)
  if (!onEvent.ok) return onEvent
  const onGap = parseReplayCallback(args.onGap)
  if (!onGap.ok) return onGap
  const hypothetical = onEvent.value !== 'ok' || onGap.value !== 'ok'
  if (hypothetical && args.profile !== undefined)
    return {ok: false, error: 'a hypothetical result is not kept: leave out --profile or the rejecting option'}
  const value = {
    onEvent: onEvent.value,
    onGap: onGap.value,
    ...(start === undefined ? {} : {start: start.value}),
    ...(chunks === undefined ? {} : {chunks: chunks.value}),
  }
  return {ok: true, value}
}

/** Standard input for `-`. Read in the file system's own pieces, which `--chunks` cuts again. */
function bytesOf(file: string): AsyncIterable<Uint8Array> {
  return file === '-' ? process.stdin : createReadStream(file)
}

async function print(lines: AsyncIterable<ReplayLine>, args: ReplayArguments, output: Output): Promise<number> {
  let strictFailure = false
  for await (const line of lines) {
    output.line(args.json === true ? JSON.stringify(line) : printable(describeReplayLine(line)))
    if (line.fact === 'end') strictFailure = isStrictFailure(line)
  }
  return args.strict === true && strictFailure ? EXIT.strict : EXIT.ok
}

function usage(problem: string, output: Output): number {
  output.note(problem)
  return EXIT.usage
}

function failed(problem: string, output: Output): number {
  output.note(problem)
  return EXIT.failed
}
