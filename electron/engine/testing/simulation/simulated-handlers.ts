import type {Handler} from '../../../../shared/handlers/handler.ts'
import type {HandlerCall} from '../../../../shared/handlers/handler-input.ts'
import type {HandlerEnd, RunHandler} from '../../handlers/handler-callbacks.ts'
import type {Dice} from './dice.ts'
import {heed, type Mortal} from './heed.ts'
import type {Run} from './runs.ts'
import type {Schedule} from './schedule.ts'

interface Parts {
  readonly schedule: Schedule
  /** Of each source, and thrown anew for each handler, frame and attempt. */
  readonly diceOf: (source: string) => Dice
  readonly life: Mortal
  /** How often one fails, hangs or takes long, in [0, 1]. */
  readonly faults: (callback: HandlerCall['callback']) => number
  readonly began: (handler: Handler, call: HandlerCall, key: string, until: AbortSignal) => Run
}

/** The user's handlers in a world outside: each begun run has its effect at once, and ends as the dice say. */
export function simulatedHandlers(parts: Parts): RunHandler {
  return (handler, call, until) => {
    const key = `${call.frame.event} ${JSON.stringify(call.frame.data)}`
    const run = parts.began(handler, call, key, until)
    const dice = parts.diceOf(call.source.id).fork(`${handler.id} ${key} ${call.attempt}`)
    return runOne(parts, {run, until, dice, faults: parts.faults(call.callback)})
  }
}

interface Running {
  readonly run: Run
  readonly until: AbortSignal
  readonly dice: Dice
  readonly faults: number
}

const FAULTS = ['reject', 'reject', 'late', 'hang'] as const

function runOne({schedule, life}: Parts, {run, until, dice, faults}: Running): Promise<HandlerEnd> {
  return new Promise((resolve) => {
    const end = (state: HandlerEnd['state']): void => {
      if (run.state !== 'running') return
      unheed()
      run.state = state === 'aborted' ? 'rejected' : state
      resolve(state === 'resolved' ? {state} : {state, error: 'simulated'})
    }
    const after = (ms: number, state: HandlerEnd['state']): void =>
      void schedule.after(ms, 'callback', life, () => end(state))
    /** What is to end takes a moment to, and may still come to its own end in it. */
    const giveUp = (): void => after(dice.between(0, 60), until.reason === 'deadline' ? 'timedOut' : 'aborted')
    const unheed = heed(life, until, giveUp)
    if (until.aborted) return giveUp()
    const fault = dice.chance(faults) ? dice.pick(FAULTS) : undefined
    if (fault === 'reject') after(dice.between(0, 200), 'rejected')
    else if (fault === 'late') after(dice.between(100, 20_000), 'resolved')
    else if (fault === undefined) after(dice.between(0, dice.pick([1, 30, 140])), 'resolved')
  })
}
