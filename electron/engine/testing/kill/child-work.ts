import {fsyncSync, openSync, writeSync} from 'node:fs'
import {demoCallbacks} from '../../../demo/callbacks.ts'
import {findScenario} from '../../../demo/scenarios.ts'
import type {Callbacks} from '../../callbacks.ts'
import type {Clock} from '../../clock.ts'
import type {EngineDeps} from '../../engine-deps.ts'
import type {RunHandler} from '../../handlers/handler-callbacks.ts'
import {commandRunner} from './command-handler.ts'
import {nameOfMessage, namerFor} from './frame-names.ts'
import type {ChildPlan, Effect, Passed} from './point.ts'

export interface ChildWork {
  /** Of a source of the demo. */
  readonly callbacks: Callbacks
  /** Of a source that a user added. */
  readonly handlerRunner?: NonNullable<EngineDeps['handlerRunner']>
  readonly close: () => void
}

export interface WorkDeps {
  readonly clock: Clock
  readonly pass: (passed: Passed) => void
  /** The effect is durable. Resolves where the callback is to go on. */
  readonly effectDone: (signal: AbortSignal) => Promise<void>
}

/** What is done for a frame, and said of it. */
export function createWork(plan: ChildPlan, {clock, pass, effectDone}: WorkDeps): ChildWork {
  if (plan.work.kind === 'command' || plan.work.kind === 'webhook')
    return {callbacks: idle(clock), ...commandRunner(plan, clock, pass)}
  const effects = openSync(plan.effects, 'a')

  /** One line that survives the process, and then what else the callback does. */
  const work = async (effect: Effect, signal: AbortSignal, then: () => Promise<unknown>): Promise<void> => {
    const frames = [effect.frame]
    pass({point: 'begun', frames})
    writeSync(effects, `${JSON.stringify(effect)}\n`)
    fsyncSync(effects)
    pass({point: 'effect', frames})
    await effectDone(signal)
    await then()
    pass({point: 'ended', frames})
  }
  const nameOfFrame = namerFor(plan.source)
  const working =
    (then: Callbacks['onEvent']): Callbacks['onEvent'] =>
    (delivery, signal) => {
      const {journaled, attempt} = delivery
      return work({frame: nameOfFrame(journaled.bytes), attempt}, signal, () => then(delivery, signal))
    }
  const handling: RunHandler = async (_handler, {frame, attempt}, signal) => {
    const done = work({frame: nameOfMessage(JSON.stringify(frame.data)), attempt}, signal, async () => {})
    return done.then(
      () => ({state: 'resolved'}),
      () => ({state: 'aborted'}),
    )
  }
  const {onEvent, onGap} = thenOf(plan.work, clock)
  return {
    callbacks: {onEvent: working(onEvent), onGap: working(onGap)},
    handlerRunner: () => handling,
    close: () => {},
  }
}

function thenOf(work: ChildPlan['work'], clock: Clock): Callbacks {
  const scenario = work.kind === 'scenario' ? findScenario(work.name) : undefined
  return work.kind === 'scenario' && scenario !== undefined ? demoCallbacks(scenario, clock, work.speed) : idle(clock)
}

function idle(clock: Clock): Callbacks {
  const nothing = (): Promise<void> => clock.wait(0, new AbortController().signal)
  return {onEvent: nothing, onGap: nothing}
}
