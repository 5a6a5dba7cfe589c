import type {Action, EventSpec, Numbers, RefusalStatus, Revision} from '../../../demo/scenario.ts'
import {createDice, type Dice} from './dice.ts'
import {drawHandlers, SWITCH_RULES} from './draw-handlers.ts'
import {drawNumbered, drawStream, NUMBERED_RULES} from './numbered/draw-numbered.ts'
import type {Item, Moment, Plan, SourcePlan, SwitchPlan, UserAct, Weather} from './plan.ts'
import {drawDaemon, drawRemovals, drawSession, SESSION_RULES} from './prime/draw-daemon.ts'
import {drawRawFrame} from './raw-frames.ts'

/** Newer servers begin each boot at the next multiple of this (Switch note, section 5). */
const BOOT = 2 ** 32

/** Throws everything about one world that is decided before it begins. */
export function drawPlan(seed: number): Plan {
  const dice = createDice(seed, 'plan')
  const sources = Array.from({length: dice.chance(0.3) ? 2 : 1}, (_, n) => drawSource(dice.fork(`source-${n}`), n))
  const calmAt = dice.pick([4_000, 12_000, 30_000, 60_000])
  const items = [
    ...sources.flatMap((source) => drawActs(dice.fork(`acts of ${source.name}`), source, calmAt)),
    ...sources.flatMap((source) => drawNewLists(dice.fork(`lists of ${source.name}`), source, calmAt)),
    ...sources.flatMap((source) => drawRemovals(dice.fork(`removals of ${source.name}`), source, calmAt)),
    ...drawMachine(dice.fork('machine'), sources, calmAt),
  ]
  return {
    seed,
    sources,
    items: items.sort((a, b) => a.at - b.at),
    weather: drawWeather(dice.fork('weather')),
    calmAt,
  }
}

function drawSource(dice: Dice, n: number): SourcePlan {
  if (dice.chance(0.35)) return drawSession(dice, n)
  const apart = dice.fork('numbered')
  return apart.chance(0.35) ? drawNumbered(apart, n) : drawSwitch(dice, n)
}

function drawActs(dice: Dice, source: SourcePlan, calmAt: number): Item[] {
  if (source.wire === 'numbered') return drawStream(dice, source, calmAt)
  return source.wire === 'prime' ? drawDaemon(dice, source, calmAt) : drawServer(dice, source, calmAt)
}

function drawSwitch(dice: Dice, n: number): SwitchPlan {
  const revision = dice.pick<Revision>(['r1', 'r2', 'r3', 'r3'])
  const hasCallbacks = dice.chance(0.65)
  return {
    wire: 'switch',
    name: `source-${n}`,
    hasCallbacks,
    handlers: dice.chance(0.4) ? drawHandlers(dice.fork('handlers'), SWITCH_RULES) : [],
    revision,
    start: drawNumbers(dice, revision),
    retain: {
      count: dice.pick([5, 40, 2_000, 2_000]),
      ageMs: dice.pick([4_000, 900_000]),
      batch: dice.pick([1, 3, 200]),
      batchPauseMs: dice.pick([0, 0, 40]),
    },
    startsAtHead: !hasCallbacks && dice.chance(0.3),
    hasForeignId: dice.chance(0.05),
  }
}

const RULES = {prime: SESSION_RULES, numbered: NUMBERED_RULES, switch: SWITCH_RULES} as const

/** The user thinks again, in the midst of everything: mostly of a source that has handlers. */
function drawNewLists(dice: Dice, {name: source, wire, handlers}: SourcePlan, calmAt: number): Item[] {
  if (!dice.chance(handlers.length > 0 ? 0.5 : 0.1)) return []
  return Array.from({length: 1 + dice.below(4)}, (_, n): Item => {
    const at = dice.between(0, calmAt)
    return {
      at,
      kind: 'handlers',
      source,
      handlers: drawHandlers(dice.fork(`list ${n}`), RULES[wire]),
    }
  })
}

function drawWeather(dice: Dice): Weather {
  const often = (most: number): number => (dice.chance(0.5) ? dice.between(0, most) : 0)
  return {
    cuts: often(0.7),
    losses: often(0.3),
    diskErrors: often(0.06),
    callbackFaults: often(0.4),
    gapFaults: dice.pick([0, 0.3, 0.8]),
    slowDisk: dice.chance(0.3),
    slowNet: dice.chance(0.3),
    lateTimers: often(0.3),
  }
}

/**
 * Where numbers stand: mostly small and near each other, so that numbers which begin anew are soon mistaken for old ones; else
 * a boot's first, which goes forward.
 */
function drawNumbers(dice: Dice, revision: Revision): Numbers {
  const other = revision === 'r1' ? dice.below(60) : dice.pick([BOOT, BOOT, BOOT * (2 + dice.below(3))])
  const s = dice.chance(0.6) ? dice.below(15) : other
  // Own members, so that a room of such a name counts like any other.
  const rooms = JSON.parse(`{"room-a":${dice.below(20)},"__proto__":${dice.below(9)},"constructor":${dice.below(9)}}`)
  if (dice.chance(0.5)) rooms['room-b'] = dice.below(40)
  return {s, rooms}
}

function drawServer(dice: Dice, {name: source, revision}: SwitchPlan, calmAt: number): Item[] {
  // Alone, because a client that is busy with other trouble is not where this meets it.
  if (dice.chance(0.2)) return drawRenumbering(dice, source, revision, calmAt)
  const items: Item[] = []
  const eventful = dice.pick([0.1, 0.3, 0.5])
  for (let n = 0; n < 4 + dice.below(36); n++) {
    const at = dice.between(0, calmAt)
    const act = dice.chance(eventful) ? drawTrouble(dice, revision, n) : drawTalk(dice)
    items.push({at, kind: 'server', source, act})
    // Things come together, so that one is in the middle of another.
    if (dice.chance(0.4)) items.push({at: at + dice.between(0, 30), kind: 'server', source, act: drawTalk(dice)})
  }
  return items
}

/** Numbers that begin anew and soon reach the old ones, which then look like their own. */
function drawRenumbering(dice: Dice, source: string, revision: Revision, calmAt: number): Item[] {
  const at = dice.between(0, calmAt / 2)
  const gapAt = at + dice.between(1_000, 3_000)
  const {rooms} = drawNumbers(dice, revision)
  const gap = {kind: 'gap', reason: 'the numbers begin anew', to: {s: dice.below(5), rooms}, rooms: ['room-a']} as const
  const burst = (from: number, forMs: number, atLeast: number): Item => {
    const act = {kind: 'burst', count: atLeast + dice.below(12), event: {...drawEvent(dice), label: 'm'}} as const
    return {at: from + dice.between(0, forMs), kind: 'server', source, act}
  }
  return [
    burst(at, 1, 3),
    {at: gapAt, kind: 'server', source, act: gap},
    burst(gapAt, 50, 3),
    burst(gapAt, 600, 20),
    burst(gapAt, 1_200, 20),
    burst(gapAt, 6_000, 3),
  ]
}

function drawTalk(dice: Dice): Action {
  if (dice.chance(0.25)) return drawBurst(dice)
  // Each one that is garbled holds the source until somebody skips it, so they come one at a time.
  return {kind: 'publish', event: {...drawEvent(dice), ...(dice.chance(0.05) ? {garbled: true} : {})}}
}

function drawBurst(dice: Dice): Action {
  return {kind: 'burst', count: 2 + dice.below(dice.pick([12, 12, 40])), event: drawEvent(dice)}
}

function drawEvent(dice: Dice): EventSpec {
  return {
    event: dice.pick(['message', 'message', 'message', 'task_delegate']),
    room: dice.pick(['room-a', 'room-b', '__proto__', 'constructor']),
    from: 'dana',
    text: 'grüße ✓',
    label: dice.pick(['m', 'm', 'poison']),
    ...(dice.chance(0.08) ? {untyped: true} : {}),
    ...(dice.chance(0.1) ? {passedBy: dice.below(4)} : {}),
  }
}

function drawTrouble(dice: Dice, revision: Revision, n: number): Action {
  const forMs = dice.pick([500, 3_000, 12_000, 60_000])
  const status = dice.pick<RefusalStatus>([401, 403, 404, 409, 410, 429, 500, 503, 503, 503])
  return dice.pick<Action>([
    drawGap(dice, revision),
    drawGap(dice, revision),
    {kind: 'raw', text: drawRawFrame(dice, revision, n)},
    {kind: 'raw', text: drawRawFrame(dice, revision, n)},
    {kind: 'raw', text: drawRawFrame(dice, revision, n)},
    {kind: 'evict', code: dice.pick(['taken_over', 'heartbeat_lapsed', 'closed'])},
    {kind: 'close'},
    {kind: 'reset', half: dice.chance(0.5)},
    {kind: 'restart', to: drawNumbers(dice, revision)},
    {kind: 'restart', to: drawNumbers(dice, revision)},
    {kind: 'silence', forMs},
    {kind: 'refuse', what: dice.pick(['opens', 'beats', 'all']), status, forMs},
  ])
}

function drawGap(dice: Dice, revision: Revision): Action {
  const says = dice.pick([undefined, undefined, 'resumedAt', 'neither'] as const)
  return {
    kind: 'gap',
    reason: 'the numbers begin anew',
    to: drawNumbers(dice, revision),
    rooms: ['room-a'],
    ...(says === undefined ? {} : {says}),
  }
}

function drawMachine(dice: Dice, sources: readonly SourcePlan[], calmAt: number): Item[] {
  const items: Item[] = []
  const count = dice.pick([0, 2, 5, 10])
  for (let n = 0; n < count; n++) items.push(drawMishap(dice, sources, dice.between(0, calmAt)))
  return items
}

function drawMishap(dice: Dice, sources: readonly SourcePlan[], at: number): Item {
  const source = sources[dice.below(sources.length)]?.name ?? ''
  const moment: Moment = {
    tag: dice.pick(['any', 'synced', 'acknowledged', 'callback', 'bytes', 'timer', 'failed', 'decided']),
    skip: dice.pick([0, 0, 1, 2, 5]),
    later: dice.pick([0, 0, 2, 7]),
  }
  const does = dice.pick<UserAct>(['pause', 'resume', 'resume', 'retry', 'skip', 'newConnection'])
  const restart = (how: 'kill' | 'vanish' | 'close'): Item => ({
    at,
    kind: 'restart',
    how,
    moment,
    downMs: drawDown(dice),
  })
  return dice.pick<Item>([
    restart('kill'),
    restart('kill'),
    restart('kill'),
    restart('vanish'),
    restart('close'),
    {at, kind: 'restart', how: 'close', moment: {tag: 'decided', skip: 0, later: 0}, downMs: drawDown(dice)},
    {at, kind: 'user', source, does},
    {at, kind: 'user', source, does},
    {at, kind: 'disk', error: dice.pick(['full', 'io']), forMs: dice.pick([20, 500, 5_000])},
    {at, kind: 'wall', byMs: dice.pick([-3_600_000, -50, 50, 86_400_000])},
    {at, kind: 'sleep', forMs: dice.pick([1_000, 7_000, 60_000, 3_600_000])},
    {at, kind: 'line', source, how: dice.pick(['break', 'stall'])},
  ])
}

function drawDown(dice: Dice): number {
  return dice.pick([1, 200, 3_000, 10_000])
}
