import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {isJsonObject, type JsonObject} from '../../../../shared/base/json.ts'
import type {Handler} from '../../../../shared/handlers/handler.ts'
import type {Clock} from '../../clock.ts'
import {createGuard} from '../../handlers/guard.ts'
import type {RunHandler} from '../../handlers/handler-callbacks.ts'
import {reapLeftOver} from '../../handlers/reap-left-over.ts'
import {createHandlerRunner} from '../../handlers/run-handler.ts'
import {profileFiles} from '../../store/profile.ts'
import {nameOf} from './frame-names.ts'
import {type ChildPlan, type Effect, type Passed, WARD} from './point.ts'

/* A handler of the user's that is hard to get rid of, and what runs it. */

/** In the environment of everything that such a handler starts: whose patient it is of. */
const PATIENT = 'TIDEMARK_TEST_PATIENT'

/**
 * Its effect is what it is told, in a file. Whatever it starts ignores SIGTERM, and one of that leaves its group; each would run
 * on for minutes.
 */
const SCRIPT = `
  trap '' TERM
  sleep 300 &
  setsid sleep 300 & away=$!
  cat >> "$EFFECTS"
  sleep 0.1
  kill -9 $away`

export function commandOf({profile, effects}: ChildPlan): Handler {
  const env = [
    [PATIENT, profile],
    ['EFFECTS', effects],
  ] as const
  const action = {kind: 'command', argv: ['/bin/sh', '-c', SCRIPT], env, hasSecret: false} as const
  return {id: 'h-1', name: 'writes', rule: {}, deadlineMs: 60_000, attempts: 3, backoffMs: 0, action}
}

/** Composed as a shell composes it, and says when a command is about to begin, and that it ended well. */
export function commandRunner({profile}: ChildPlan, clock: Clock, pass: (passed: Passed) => void) {
  const {running} = profileFiles(profile)
  reapLeftOver(running)
  const guard = createGuard({watchdogUrl: new URL('../../handlers/watchdog.ts', import.meta.url), file: running})
  const tokens = {get: async () => 'to sign with', set: async () => {}, delete: async () => {}, describe: 'in a test'}
  const notify = (): Promise<never> => Promise.reject(new Error('nothing is shown here'))
  const run = createHandlerRunner({clock, tokens, guard, notify, environment: process.env})
  const telling: RunHandler = async (handler, call, until, draftSecret) => {
    const frames = [nameOf(call.frame.data)]
    pass({point: 'begun', frames})
    const end = await run(handler, call, until, draftSecret)
    if (end.state === 'resolved') pass({point: 'ended', frames})
    return end
  }
  return {handlerRunner: () => telling, close: guard.close}
}

/** What the command wrote as it read it. */
export function effectOfCommand(input: JsonObject): Effect {
  const {data, attempt, mayHaveRunBefore} = input
  return {
    frame: isJsonObject(data) ? nameOf(data) : '',
    attempt: Number(attempt),
    warned: mayHaveRunBefore === true,
  }
}

/** The processes that a patient's commands started and that still run. Told by their environment, where the system shows it. */
export function runningOf(profile: string): readonly number[] {
  return processesWith(`${PATIENT}=${profile}\0`)
}

/** Whoever is to end them once their Tidemark is dead, and is still at it. */
export function watchdogsOf(profile: string): readonly number[] {
  const commands = new Set(runningOf(profile))
  return processesWith(`${WARD}=${profile}\0`).filter((pid) => !commands.has(pid))
}

function processesWith(mark: string): readonly number[] {
  if (!existsSync('/proc')) return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => environmentOf(pid).includes(mark)).map(Number)
}

/** Empty: it is gone, nobody took note of its end yet, or it is somebody else's. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}
