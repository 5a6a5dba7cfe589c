import {type FileHandle, open} from 'node:fs/promises'
import {messageOf} from '../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import {replaySwitch} from '../engine/replay/replay-switch.ts'
import {EXIT} from './exit-codes.ts'
import {type Output, printable} from './output.ts'
import {parseReplay, type ReplayArguments, type Wanted} from './parse-replay.ts'
import {openReplayProfile} from './replay-profile.ts'
import {type ToldReplay, tellNumbered, tellPrime, tellSwitch, type Verdict} from './tell-replay.ts'
import {OutputFailed, ReaderGone} from './terminal.ts'

/** `tidemark replay`. Returns the exit code. */
export async function runReplay(args: ReplayArguments, output: Output): Promise<number> {
  const wanted = parseReplay(args)
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
  const {file} = args
  if (wanted.protocol === 'numbered') return print(tellNumbered(bytes.read(), wanted, file), args, output)
  if (wanted.protocol === 'prime') return print(tellPrime(bytes.read(), wanted, file), args, output)
  if (args.profile === undefined) return print(tellSwitch(replaySwitch(bytes.read(), wanted), file), args, output)
  const target = await openReplayProfile(args.profile, file, wanted.start)
  if (!target.ok) return failed(target.error, output)
  try {
    return await print(tellSwitch(replaySwitch(bytes.read(), wanted, target.value), file), args, output)
  } finally {
    await target.value.close()
  }
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

async function print<Line extends object>(
  {lines, text, verdict}: ToldReplay<Line>,
  args: ReplayArguments,
  output: Output,
): Promise<number> {
  let ended: Verdict | undefined
  for await (const line of lines) {
    await output.line(args.json === true ? JSON.stringify(line) : printable(text(line)))
    ended = verdict(line)
  }
  if (ended?.nothing !== undefined) output.note(ended.nothing)
  if (args.strict !== true || ended === undefined) return EXIT.ok
  if (ended.wasRefused) return EXIT.strict
  return ended.nothing === undefined ? EXIT.ok : EXIT.failed
}

function usage(problem: string, output: Output): number {
  output.note(problem)
  return EXIT.usage
}

function failed(problem: string, output: Output): number {
  output.note(problem)
  return EXIT.failed
}
