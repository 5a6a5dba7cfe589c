import {createLife, type Life, type LifeParts, wordsOf} from './life.ts'
import type {Item, Mark, Moment} from './plan.ts'
import {type Tag, WORLD} from './schedule.ts'
import {click, removeSource, setHandlers, watchAgain} from './user.ts'
import {pathOf, type Restart, type World} from './world.ts'

const CLOSES_WITHIN_MS = 60_000

/** Starts the engine on what the disk holds. */
export function boot(world: World): void {
  const {plan, dice, schedule, verdict, trace, machine, disk} = world
  const {weather} = plan
  const net = dice.fork(`net ${schedule.now()}`)
  const parts: LifeParts = {
    schedule,
    dice: dice.fork(`life at ${schedule.now()}`),
    weather: {
      cuts: () => (world.isCalm ? 0 : weather.cuts),
      losses: () => (world.isCalm ? 0 : weather.losses),
      latency: () => net.between(0.2, weather.slowNet && !world.isCalm ? net.pick([5, 200, 3_000]) : 5),
    },
    callbackFaults: (callback) =>
      world.isCalm ? 0 : callback === 'onGap' ? weather.gapFaults : weather.callbackFaults,
    servers: world.servers,
    daemons: world.daemons,
    logs: world.logs,
    streams: world.streams,
    witnesses: world.witnesses,
    switches: world.switches,
    startsAtHead: (name) =>
      plan.sources.some((source) => 'startsAtHead' in source && source.startsAtHead && source.name === name),
    verdict,
    trace,
    clockOf: (life) => machine.clockOf(life, dice.fork(`clock at ${schedule.now()}`)),
    storeOf: disk.storeOf,
  }
  world.isClosing = false
  world.life = createLife(parts)
}

/** What happens whether our machine sleeps or not. */
const ELSEWHERE = new Set<Item['kind']>(['line', 'daemon', 'late', 'numbered'])

/** One item of the plan. */
export function happen(world: World, item: Exclude<Item, {kind: 'server'}>): void {
  const {life, disk, machine, schedule, trace, awakeAt} = world
  // Nobody clicks on a machine that sleeps.
  if (!ELSEWHERE.has(item.kind) && awakeAt > schedule.now())
    return void schedule.after(awakeAt - schedule.now(), 'plan', WORLD, () => happen(world, item))
  trace.note(() => `plan: ${JSON.stringify(item)}`)
  switch (item.kind) {
    case 'user':
      return void click(world, item.source, item.does)
    case 'remove':
      return void removeSource(world, item.source, item.which)
    case 'watchAgain':
      return watchAgain(world, item.source)
    case 'handlers':
      return setHandlers(world, item.source, item.handlers)
    case 'restart':
      world.armed.push({item, left: item.moment.skip, later: item.moment.later})
      return
    case 'disk':
      return disk.fail(item.error, item.forMs)
    case 'wall':
      return machine.jumpWall(item.byMs)
    case 'sleep':
      if (life === undefined) return
      machine.slept(item.forMs)
      world.awakeAt = schedule.now() + item.forMs
      return schedule.postpone(life, item.forMs)
    case 'line':
      for (const line of life?.lines(item.source) ?? [])
        if (item.how === 'break') line.breakOff()
        else line.stall()
      return
    case 'late':
      return world.daemons.get(pathOf(item.source))?.sayAgain(item.which)
    case 'numbered':
      return world.streams.get(item.source)?.server.act(item.act)
    case 'daemon':
      return world.daemons.get(pathOf(item.source))?.act(item.act)
  }
}

/** A crash that was planned for the moment after such an event happens now, while nothing runs. */
export function strikeAfter(world: World, tag: Tag): void {
  // The power may go while a machine sleeps, but nobody closes anything on it.
  const isAsleep = world.awakeAt > world.schedule.now()
  for (const armed of world.armed) {
    if (isAsleep && armed.item.how === 'close') continue
    if (armed.left < 0) armed.later -= 1
    else if (fits(armed.item.moment, tag, world.marks)) armed.left -= 1
  }
  world.marks.clear()
  const isDue = ({left, later}: World['armed'][number]): boolean => left < 0 && later <= 0
  const due = world.armed.filter(isDue)
  world.armed = world.armed.filter((armed) => !isDue(armed))
  for (const {item} of due) restart(world, item)
  if (world.life?.failed() === true) restart(world, {how: 'kill', downMs: 1_000})
}

function fits({tag: wanted}: Moment, tag: Tag, marks: ReadonlySet<Mark>): boolean {
  return wanted === 'any' || wanted === tag || [...marks].some((mark) => mark === wanted)
}

/** The process dies, or is asked to end; later another one begins. */
function restart(world: World, {how, downMs}: Pick<Restart, 'how' | 'downMs'>): void {
  const {life, trace, disk, schedule} = world
  if (life === undefined) return
  const over = (): void => {
    life.end()
    for (const witness of world.witnesses.values()) witness.lifeOver()
    for (const log of world.logs.values()) log.clear()
    for (const {server} of world.streams.values()) server.file?.lifeOver()
    world.life = undefined
    schedule.after(Math.max(downMs, world.awakeAt - schedule.now()), 'plan', WORLD, () => boot(world))
  }
  const engine = life.engine()
  trace.note(() => `the engine: ${how}`)
  if (how !== 'close' || engine === undefined) {
    if (how === 'kill') for (const line of life.lines()) line.orphan()
    disk.crash()
    return over()
  }
  if (world.isClosing) return
  world.isClosing = true
  close(world, life, over)
}

/** Ends the engine in good order, which must not take for ever. */
export function close({schedule, verdict, streams}: World, life: Life, over: () => void): void {
  const late = schedule.after(CLOSES_WITHIN_MS, 'plan', life, () => verdict.broken('the engine did not close', ''))
  const closed = life.engine()?.close()
  closed?.then(
    () => {
      late.cancel()
      for (const [name, {server}] of streams)
        if ((server.file?.opened() ?? 0) > 0) verdict.broken('a file was left open', name)
      over()
    },
    (cause: unknown) => verdict.broken('the engine threw', wordsOf(cause)),
  )
}
