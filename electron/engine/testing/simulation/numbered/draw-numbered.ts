import type {HandlerRule} from '../../../../../shared/handlers/handler.ts'
import {BAD_MESSAGES} from '../../../../demo/numbered/scenario.ts'
import type {Dice} from '../dice.ts'
import {drawHandlers} from '../draw-handlers.ts'
import type {Item, NumberedAct, NumberedPlan} from '../plan.ts'

/** For messages of a numbered stream. */
export const NUMBERED_RULES: readonly [HandlerRule, ...HandlerRule[]] = [
  {events: ['event']},
  {events: ['snapshot', 'note']},
  {outcomes: ['handled', 'discarded']},
  {outcomes: ['discarded']},
]

export function drawNumbered(dice: Dice, n: number): NumberedPlan {
  const plan: NumberedPlan = {
    wire: 'numbered',
    name: `numbered-${n}`,
    handlers: dice.chance(0.6) ? drawHandlers(dice.fork('handlers'), NUMBERED_RULES) : [],
    over: dice.pick(['socket', 'sse', 'file']),
    byHeader: dice.chance(0.3),
    future: dice.pick(['fail', 'wait']),
    saysFuture: dice.chance(0.8),
    serverFuture: dice.pick(['fail', 'all']),
    cursorAt: dice.pick(['cursor', 'cursor', 'meta.at', '']),
    typeAt: dice.pick(['type', 'type', '', 'event.kind']),
    firstGeneration: dice.pick([0, 3, 6, 9]),
  }
  const ids = dice.fork('ids')
  const isById = plan.over === 'sse' && ids.chance(0.4)
  return isById ? {...plan, idBetween: ids.pick([':', '-', '/'] as const)} : plan
}

/** More than a source reads ahead of what it handles. */
const MORE_THAN_WAITS = 1_040

/** What happens on a server of numbered cursors: mostly talk, and things come together. */
export function drawStream(dice: Dice, {name: source, handlers}: NumberedPlan, calmAt: number): Item[] {
  const eventful = dice.pick([0.1, 0.3, 0.5])
  const items: Item[] = []
  const add = (at: number, act: NumberedAct): void => void items.push({at, kind: 'numbered', source, act})
  for (let n = 0; n < 4 + dice.below(30); n++) {
    const at = dice.between(0, calmAt)
    add(at, dice.chance(eventful) ? drawTrouble(dice) : drawTalk(dice))
    if (dice.chance(0.4)) add(at + dice.between(0, 30), drawTalk(dice))
  }
  if (dice.chance(0.6)) {
    const at = dice.between(0, calmAt)
    for (const [later, act] of drawLoss(dice)) add(at + later, act)
    if (dice.chance(0.8)) items.push(drawCrash(dice, at))
  }
  if (handlers.length > 0 && dice.chance(0.02))
    add(dice.between(0, calmAt), {kind: 'burst', count: MORE_THAN_WAITS, event: {kind: 'wave'}})
  return items
}

function drawTalk(dice: Dice): NumberedAct {
  const event = {kind: 'note', text: 'grüße ✓', n: dice.below(100)}
  return dice.pick<NumberedAct>([
    {kind: 'event', event},
    {kind: 'event', event},
    {kind: 'burst', count: 2 + dice.below(dice.pick([4, 12, 40])), event},
    {kind: 'snapshot', reason: 'checkpoint'},
    {kind: 'snapshot', reason: 'tool call'},
  ])
}

type Timed = readonly [later: number, act: NumberedAct]

/** The store is lost, and the new numbering grows: up to the old one, into it, or with a jump. */
function drawLoss(dice: Dice): readonly Timed[] {
  const later = (): number => dice.between(0, dice.pick([50, 2_000, 10_000]))
  const grown = Array.from({length: dice.below(9)}, (): Timed => [later(), drawTalk(dice)])
  const jump = later()
  const jumped: readonly Timed[] = [
    [jump, {kind: 'skipGenerations', count: 1 + dice.below(3)}],
    [jump + 1, {kind: 'snapshot', reason: 'behind those that were left out'}],
  ]
  return [[0, drawLost(dice)], ...grown, ...(dice.chance(0.4) ? jumped : [])]
}

/** The user decided, and it is not done yet. */
function drawCrash(dice: Dice, at: number): Item {
  const moment = {tag: 'decided', skip: 0, later: 2 + dice.below(8)} as const
  return {at, kind: 'restart', how: 'kill', moment, downMs: 200}
}

function drawLost(dice: Dice): NumberedAct {
  return {kind: 'lose', firstGeneration: dice.pick([0, 1, 1, 1, 2, 5]), inPlace: dice.chance(0.5)}
}

/** A generation that is a name is none of this model, and its server would take none for a cursor. */
const BAD = BAD_MESSAGES.filter((what) => what !== 'opaque')

function drawTrouble(dice: Dice): NumberedAct {
  const forMs = dice.pick([5, 400, 4_000, 30_000])
  return dice.pick<NumberedAct>([
    drawLost(dice),
    {kind: 'restart', store: 'kept'},
    {kind: 'restart', store: 'kept'},
    {kind: 'backUp', without: 1 + dice.below(3), inPlace: dice.chance(0.5)},
    {kind: 'backUp', without: 1 + dice.below(dice.pick([3, 20])), inPlace: dice.chance(0.5)},
    {kind: 'rotate'},
    {kind: 'down', forMs},
    {kind: 'hangUp'},
    {kind: 'cut', atByte: dice.below(120)},
    {kind: 'cut', atByte: dice.below(120)},
    {kind: 'bad', what: BAD[dice.below(BAD.length)] ?? 'garbage'},
    {kind: 'bad', what: BAD[dice.below(BAD.length)] ?? 'garbage'},
    {kind: 'skip', events: 1 + dice.below(3)},
    {kind: 'skipGenerations', count: 1 + dice.below(2)},
    {kind: 'refuse', how: dice.pick(['failing', 'refusing']), forMs},
  ])
}
