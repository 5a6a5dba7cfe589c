import type {JsonObject} from '../../shared/base/json.ts'
import {isJsonObject} from '../../shared/base/json.ts'
import type {Callbacks, Delivery} from '../engine/callbacks.ts'
import type {Clock} from '../engine/clock.ts'
import type {CallbackRule, Scenario} from './scenario.ts'

/** Most callbacks take a moment, so that one can see them. In ms. */
const SHORTEST_MS = 50
const LONGEST_MS = 400

/**
 * Callbacks that really delay and really throw, as the scenario says for a frame's label and attempt. When given up they
 * reject: only done is done.
 *
 * @param speed - how many times faster than written
 */
export function demoCallbacks(scenario: Scenario, clock: Clock, speed = 1): Callbacks {
  const run = async (label: string, attempt: number, signal: AbortSignal): Promise<void> => {
    const rule = scenario.callbacks?.find((one) => one.label === label)
    await clock.wait(delayOf(rule, clock) / speed, signal)
    signal.throwIfAborted()
    if (attempt <= (rule?.rejectUpTo ?? 0)) throw new Error(rule?.error ?? `attempt ${attempt} failed`)
  }
  return {
    onEvent: ({frame, attempt}, signal) => run(labelOf(frame.data), attempt, signal),
    onGap: ({attempt}: Delivery, signal) => run('gap', attempt, signal),
  }
}

function delayOf(rule: CallbackRule | undefined, clock: Clock): number {
  return rule?.delayMs ?? SHORTEST_MS + clock.random() * (LONGEST_MS - SHORTEST_MS)
}

/** The scenario's word for an event: what its message id or task id begins with. */
function labelOf(data: JsonObject): string {
  const payload = data['payload']
  if (!isJsonObject(payload)) return ''
  const id = payload['message_id'] ?? payload['task_id']
  return typeof id === 'string' ? (/^\$?([^.]*)\./.exec(id)?.[1] ?? '') : ''
}
