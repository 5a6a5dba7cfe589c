import type {HandlerRule} from '../../../../../shared/handlers/handler.ts'
import type {PrimeAction} from '../../../../demo/prime/scenario.ts'
import {BAD_LINES} from '../../../../demo/prime/scenario.ts'
import type {Dice} from '../dice.ts'
import {drawHandlers} from '../draw-handlers.ts'
import type {Item, PrimePlan, SourcePlan} from '../plan.ts'
import {SESSION, SESSION_NAME} from './daemon-server.ts'

/** For events of a session. */
export const SESSION_RULES: readonly [HandlerRule, ...HandlerRule[]] = [
  {events: ['session_status', 'tide_turned']},
  {events: ['bash_output']},
  {outcomes: ['handled', 'discarded']},
  {outcomes: ['discarded']},
]

export function drawSession(dice: Dice, n: number): PrimePlan {
  const handlers = dice.chance(0.7) ? drawHandlers(dice.fork('handlers'), SESSION_RULES) : []
  return {wire: 'prime', name: `session-${n}`, handlers, transcript: dice.pick([0, 0, 3])}
}

/** What happens on a daemon and in its session: mostly talk, and things come together. */
export function drawDaemon(dice: Dice, {name: source}: PrimePlan, calmAt: number): Item[] {
  const eventful = dice.pick([0.1, 0.3, 0.5])
  const items: Item[] = []
  for (let n = 0; n < 4 + dice.below(30); n++) {
    const at = dice.between(0, calmAt)
    const isTrouble = dice.chance(eventful)
    const burst = isTrouble ? 1 : 1 + dice.below(dice.pick([2, 2, 12]))
    for (let k = 0; k < burst; k++) {
      const act = isTrouble ? drawTrouble(dice) : drawTalk(dice)
      if (dice.chance(0.06)) items.push({at: at + 5, kind: 'late', source, which: dice.below(400)})
      items.push({at: at + k * dice.pick([0, 0, 3]), kind: 'daemon', source, act})
    }
    if (isTrouble && dice.chance(0.5))
      items.push({at: at + dice.between(0, 30), kind: 'daemon', source, act: drawTalk(dice)})
  }
  return items
}

/** Sessions take each other's place, and the user removes one of them in the midst. */
export function drawRemovals(dice: Dice, {wire, name: source}: SourcePlan, calmAt: number): Item[] {
  if (wire !== 'prime' || !dice.chance(0.25)) return []
  const which = dice.pick(['own', 'other', 'other'] as const)
  const began = dice.between(0, calmAt / 2)
  let at = began
  const later = (): number => (at += dice.between(0, dice.pick([5, 400, 3_000])))
  const replace = (name: string): Item => ({
    at: later(),
    kind: 'daemon',
    source,
    act: {kind: 'replace', on: SESSION, name},
  })
  const [gone, rest] = which === 'own' ? [SESSION_NAME, 'other'] : ['other', SESSION_NAME]
  const remove: Item = {at: later(), kind: 'remove', source, which}
  const moment = {tag: 'any', skip: 0, later: 0} as const
  const restart: Item[] = dice.chance(0.5) ? [{at: later(), kind: 'restart', how: 'kill', moment, downMs: 1}] : []
  const back = [later() + 3_000, later() + 10_000].flatMap((wait) => {
    at = Math.max(at, wait)
    return [replace(rest), replace(gone)]
  })
  const again: Item[] = dice.chance(0.3) ? [{at: later(), kind: 'watchAgain', source}] : []
  return [{...replace('other'), at: began}, remove, ...restart, ...back, ...again]
}

function drawTalk(dice: Dice): PrimeAction {
  const on = SESSION
  return dice.pick<PrimeAction>([
    {kind: 'event', on, event: {type: 'bash_output', chunk: 'grüße ✓'}},
    {kind: 'event', on, event: {type: 'bash_output', chunk: `${dice.below(100)}`}},
    {kind: 'status', on, recap: 'goes on'},
    {kind: 'badLine', on, what: 'unknownNumbered'},
    {kind: 'badLine', on, what: 'separators'},
    {kind: 'prompt', on, text: 'go on'},
    {kind: 'rename', on, name: 'another name'},
  ])
}

function drawTrouble(dice: Dice): PrimeAction {
  const on = SESSION
  const downMs = dice.pick([5, 400, 4_000])
  return dice.pick<PrimeAction>([
    {kind: 'crash', on},
    {kind: 'crash', on},
    {kind: 'reopen', on},
    {kind: 'reopen', on},
    {kind: 'close', on, reason: dice.pick(['killed', 'completed'])},
    {kind: 'replace', on, name: 'other'},
    {kind: 'replace', on, name: SESSION_NAME},
    {kind: 'askUser', on, title: 'which one?'},
    {kind: 'askUser', on, title: 'which one?'},
    {kind: 'supervisor', end: dice.pick(['update', 'killed']), downMs, helloMs: dice.pick([0, 300, 1_250])},
    {kind: 'shutdown', downMs},
    {kind: 'heartbeats'},
    {kind: 'others', on, count: dice.below(3)},
    {kind: 'badLine', on, what: dice.pick([...BAD_LINES])},
    {kind: 'drop', on, events: 1 + dice.below(3)},
    {kind: 'drop', on, events: 1 + dice.below(3)},
    {kind: 'cut', lines: dice.below(4), atByte: dice.below(200)},
    {kind: 'spoilSnapshot', on, how: dice.pick(['failed', 'duplicated', 'unfinished', 'missingChunk', 'wrongCount'])},
    {kind: 'hangUp'},
  ])
}
