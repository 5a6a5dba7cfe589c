import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process'
import {once} from 'node:events'
import {statSync} from 'node:fs'
import {messageOf} from '../../../shared/base/message-of.ts'
import type {Clock} from '../clock.ts'
import type {Guard} from './guard.ts'
import type {HandlerEnd} from './handler-callbacks.ts'
import {interrupted} from './interrupted.ts'
import {createOutputTail, type OutputTail} from './output-tail.ts'
import {killMarked, RUN_MARK, signalGroup} from './process-group.ts'

export interface CommandRun {
  /** The program and its arguments, as they are. */
  readonly argv: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** Written to its standard input, which then ends. */
  readonly input: Uint8Array
  /** Taken out of what is kept. */
  readonly secrets: readonly string[]
}

export interface CommandDeps {
  readonly clock: Clock
  readonly guard: Guard
}

/** Asked to end, a command has so long before it is killed. In ms; less than a closing engine waits. */
const TERM_GRACE_MS = 1_000
/** After the last of its group was killed: for the kernel, and for what lies in its pipes. In ms. */
const LAST_WORDS_MS = 500
/** Output is read in gulps of so many bytes with a pause between them, so that a flood holds up its writer and not us. */
const GULP_BYTES = 4 * 1024 * 1024
const GULP_PAUSE_MS = 100

/**
 * Runs a program of the user's to its end, in a process group of its own. No shell reads anything. When it ends, or `until`
 * aborts, everything that is left of its group is ended too: what it began in the background was part of this attempt.
 *
 * @param until - aborted with the reason `deadline`, or because the source stops or the engine closes
 */
export async function runCommand(run: CommandRun, deps: CommandDeps, until: AbortSignal): Promise<HandlerEnd> {
  const unfit = problemOf(run)
  if (unfit !== undefined) return {state: 'rejected', error: unfit}
  const mark = deps.clock.uuid()
  try {
    const unguarded = await guarded(mark, deps, until)
    return unguarded ?? (await runGuarded(run, mark, deps, until))
  } finally {
    deps.guard.ended(mark)
  }
}

/** Nothing is started that would not end with this process. */
async function guarded(mark: string, {guard}: CommandDeps, until: AbortSignal): Promise<HandlerEnd | undefined> {
  const over = new AbortController()
  const asked = new Promise<void>((resolve) => {
    if (until.aborted) resolve()
    until.addEventListener('abort', () => resolve(), {once: true, signal: over.signal})
  })
  try {
    await Promise.race([guard.announce(mark), asked])
    return until.aborted
      ? {
          ...interrupted(until),
          error: 'it was not started: what would end it together with Tidemark was not there in time',
        }
      : undefined
  } catch (cause) {
    const error = `it was not started, because nothing would end it together with Tidemark: ${messageOf(cause)}`
    return {state: 'rejected', error}
  } finally {
    over.abort()
  }
}

/** What the system would call "no such file" without saying which. */
function problemOf({cwd}: CommandRun): string | undefined {
  if (cwd === undefined || statSync(cwd, {throwIfNoEntry: false})?.isDirectory() === true) return undefined
  return `there is no folder ${cwd} to run it in`
}

async function runGuarded(run: CommandRun, mark: string, deps: CommandDeps, until: AbortSignal): Promise<HandlerEnd> {
  const {argv, cwd, env, input, secrets} = run
  const [program = '', ...args] = argv
  let child: ChildProcessWithoutNullStreams
  try {
    child = spawn(program, args, {
      ...(cwd === undefined ? {} : {cwd}),
      env: {...env, [RUN_MARK]: mark},
      detached: process.platform !== 'win32', // a group of its own; on Windows it would be a window of its own
      shell: false,
      windowsHide: true,
    })
  } catch (cause) {
    return {state: 'rejected', error: `it could not be started: ${messageOf(cause)}`}
  }
  const {pid} = child
  if (pid === undefined) return neverStarted(child)
  deps.guard.started(mark, pid)
  const tail = createOutputTail(secrets)
  const over = new AbortController()
  for (const stream of [child.stdout, child.stderr]) drain(stream, tail, deps.clock, over.signal)
  child.stdin.on('error', () => {}) // it did not read all of it, which is its own business
  child.stdin.end(input)
  const ended = await endOf(child, {pid, mark, clock: deps.clock, until})
  over.abort()
  return {...ended, outputBytes: tail.bytes(), ...kept(tail)}
}

/** Its pipes may not even be there. */
async function neverStarted(child: ChildProcessWithoutNullStreams): Promise<HandlerEnd> {
  const [cause] = await once(child, 'error')
  return {state: 'rejected', error: `it could not be started: ${messageOf(cause)}`}
}

function kept(tail: OutputTail): Pick<HandlerEnd, 'output'> {
  return tail.bytes() === 0 ? {} : {output: tail.text()}
}

function drain(
  stream: ChildProcessWithoutNullStreams['stdout'],
  tail: OutputTail,
  clock: Clock,
  over: AbortSignal,
): void {
  let gulp = 0
  stream.on('error', () => {})
  stream.on('data', (chunk: Uint8Array) => {
    tail.push(chunk)
    gulp += chunk.length
    if (gulp < GULP_BYTES) return
    gulp = 0
    stream.pause()
    void clock.wait(GULP_PAUSE_MS, over).then(() => stream.resume())
  })
}

interface Ending {
  readonly pid: number
  readonly mark: string
  readonly clock: Clock
  readonly until: AbortSignal
}

interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

async function endOf(child: ChildProcessWithoutNullStreams, {pid, mark, clock, until}: Ending): Promise<HandlerEnd> {
  const over = new AbortController()
  child.on('error', () => {}) // of a signal that could not be sent; its exit tells
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({code, signal})))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stopped = stopWhenAsked(pid, {clock, until, over: over.signal})
  const exit = await Promise.race([exited, stopped])
  over.abort()
  signalGroup(pid, 'SIGKILL')
  if (until.aborted) killMarked([mark]) // also what left the group: it is not to go on after it was given up
  const patience = new AbortController()
  await Promise.race([closed, clock.wait(LAST_WORDS_MS, patience.signal)])
  patience.abort()
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  return endFrom(exit, until)
}

/** Resolves only where it did not even end when it was killed. */
async function stopWhenAsked(
  pid: number,
  {clock, until, over}: Pick<Ending, 'clock' | 'until'> & {readonly over: AbortSignal},
): Promise<undefined> {
  await new Promise<void>((resolve) => {
    if (until.aborted) resolve()
    until.addEventListener('abort', () => resolve(), {once: true, signal: over})
  })
  if (!over.aborted) signalGroup(pid, 'SIGTERM')
  await clock.wait(TERM_GRACE_MS, over)
  if (!over.aborted) signalGroup(pid, 'SIGKILL')
  await clock.wait(LAST_WORDS_MS, over)
  return undefined
}

/** Once it was asked to end, its exit says nothing about the frame: only done is done. */
function endFrom(exit: Exit | undefined, until: AbortSignal): HandlerEnd {
  if (until.aborted) {
    const end = interrupted(until)
    const still = exit === undefined ? '; it did not even end when it was killed' : ''
    return {...exitFacts(exit), ...end, error: `${end.error}${still}`}
  }
  if (exit === undefined) return {state: 'rejected', error: 'how it ended is not known'}
  if (exit.code === 0) return {...exitFacts(exit), state: 'resolved'}
  const how = exit.code === null ? `it was ended by ${exit.signal}` : `it ended with exit code ${exit.code}`
  return {...exitFacts(exit), state: 'rejected', error: how}
}

function exitFacts(exit: Exit | undefined): Pick<HandlerEnd, 'exitCode' | 'signal'> {
  if (exit === undefined) return {}
  return {
    ...(exit.code === null ? {} : {exitCode: exit.code}),
    ...(exit.signal === null ? {} : {signal: exit.signal}),
  }
}
