import type {Handler, HandlerAction, HandlerRule} from '../../../../shared/handlers/handler.ts'
import type {Dice} from './dice.ts'

const ACTIONS: readonly [HandlerAction, ...HandlerAction[]] = [
  {kind: 'command', argv: ['simulated'], env: [], hasSecret: false},
  {kind: 'webhook', url: 'http://127.0.0.1:1/'},
  {kind: 'notification'},
]

/** A list as a user may set it: often the same handlers in another order, one more or one less. */
export function drawHandlers(dice: Dice, rules: readonly [HandlerRule, ...HandlerRule[]]): readonly Handler[] {
  const ids = ['first', 'second', 'third', 'fourth'].filter(() => dice.chance(0.5))
  if (dice.chance(0.4)) ids.reverse()
  return ids.map((id) => drawHandler(dice.fork(id), id, rules))
}

function drawHandler(dice: Dice, id: string, rules: readonly [HandlerRule, ...HandlerRule[]]): Handler {
  return {
    id,
    name: `the ${id}`,
    rule: dice.chance(0.5) ? {} : dice.pick(rules),
    deadlineMs: dice.pick([150, 2_000, 30_000]),
    attempts: dice.pick([1, 1, 2, 5]),
    backoffMs: dice.pick([0, 200, 4_000]),
    action: dice.pick(ACTIONS),
  }
}

/** For frames of a Switch stream. */
export const SWITCH_RULES: readonly [HandlerRule, ...HandlerRule[]] = [
  {events: ['message']},
  {events: ['gap', 'task_delegate']},
  {rooms: ['room-a', 'constructor']},
  {rooms: ['__proto__'], outcomes: ['handled', 'discarded']},
  {outcomes: ['handled', 'discarded', 'replaced', 'ownReplaced', 'unmoved']},
  {outcomes: ['replaced', 'ownReplaced']},
  {addressed: false},
  {addressed: true},
]
