import {readFileSync} from 'node:fs'
import {onTestFinished} from 'vitest'
import {epochMs} from '../../../../shared/base/units.ts'
import {nothingHeld} from '../../../../shared/callbacks/held.ts'
import {settlementOf} from '../../../../shared/callbacks/settlement.ts'
import type {Frame} from '../../../../shared/frames/frame.ts'
import {type Handler, type HandlerAction, USUAL_HANDLER} from '../../../../shared/handlers/handler.ts'
import type {HandlerCall} from '../../../../shared/handlers/handler-input.ts'
import type {CoordinateKey, Sequence} from '../../../../shared/position/position.ts'
import {systemClock} from '../../clock.ts'
import {temporaryDirectory} from '../../store/testing/temporary-store.ts'
import {until} from '../../testing/until.ts'
import type {TokenStore} from '../../tokens.ts'
import {createGuard, type Guard} from '../guard.ts'

/* What tests of handlers need of the rest: real processes are guarded by a real watchdog. */

export const WATCHDOG_URL = new URL('../watchdog.ts', import.meta.url)

export const clock = systemClock()
export const never: AbortSignal = new AbortController().signal

/** A guard that is closed with the test. */
export function guard(file = `${temporaryDirectory()}/running.json`): Guard {
  const made = createGuard({watchdogUrl: WATCHDOG_URL, file})
  onTestFinished(() => made.close())
  return made
}

/** Aborted as a deadline does it, once something is so. */
export function deadlineWhen(isSo: () => boolean, reason = 'deadline'): AbortSignal {
  const late = new AbortController()
  const look = (): void => {
    if (isSo()) late.abort(reason)
    else if (!late.signal.aborted) void clock.wait(20, never).then(look)
  }
  look()
  return late.signal
}

/** Aborted as a deadline does it, where nothing needs to have begun by then. */
export function deadlineIn(ms: number): AbortSignal {
  const late = new AbortController()
  void clock.wait(ms, never).then(() => late.abort('deadline'))
  return late.signal
}

export function handler(action: HandlerAction, more: Partial<Handler> = {}): Handler {
  return {id: 'h-1', name: 'handler', rule: {}, ...USUAL_HANDLER, action, ...more}
}

export function event(own: number, text = 'hello'): Frame {
  const data = {type: 'message', room_id: 'room-a', payload: {addressed: true, body: text}, sequence: own}
  const reported = new Map<CoordinateKey, Sequence>([
    ['s' as CoordinateKey, own as Sequence],
    ['r:room-a' as CoordinateKey, (own + 10) as Sequence],
  ])
  return {kind: 'event', event: 'message', type: 'message', data, update: {kind: 'progress', reported}}
}

export function call(more: Partial<HandlerCall> = {}): HandlerCall {
  const frame = more.frame ?? event(19)
  const {place} = settlementOf(nothingHeld(), frame)
  const about = {source: {id: 's-1', name: 'release-bot'}, callback: 'onEvent', frame, place} as const
  return {...about, receivedAt: epochMs(1_000), outcome: 'handled', attempt: 1, key: 'key/1', isTest: false, ...more}
}

export function memoryTokens(held: Readonly<Record<string, string>> = {}): TokenStore {
  const tokens = new Map<string, string>(Object.entries(held))
  return {
    get: async (name) => tokens.get(name),
    set: async (name, token) => void tokens.set(name, token),
    delete: async (name) => void tokens.delete(name),
    describe: 'in memory',
  }
}

/** Waits until none of them runs any more. */
export async function gone(...pids: readonly number[]): Promise<void> {
  await until(
    () => !pids.some(isRunning),
    'nothing of it to run',
    () => String(pids.filter(isRunning)),
  )
}

/** Whether a process still runs. One that nobody has taken note of the end of does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}
