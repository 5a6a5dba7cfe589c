import type {SourceView} from '../../../../shared/contract/rows.ts'
import {breachesOfPassivity} from '../../../demo/prime/testing/passive.ts'
import {areEqual} from './fold.ts'
import {close} from './happen.ts'
import {positionOf} from './numbered/numbered-rules.ts'
import type {NumberedServer} from './numbered/numbered-server.ts'
import type {UserAct} from './plan.ts'
import type {DaemonServer} from './prime/daemon-server.ts'
import {type Tag, WORLD} from './schedule.ts'
import {click} from './user.ts'
import type {Witness} from './witness.ts'
import {MARK_EVERY_MS, patienceEndsAt, type World} from './world.ts'

/** What happens outside of the engine, which it learns of by another event. */
const OUTSIDE = new Set<Tag>(['server', 'synced'])

/** After every event that the engine may have done something at: what is visible is judged, and somebody looks after what is held. */
export async function look(world: World, after: Tag): Promise<void> {
  const {life, verdict} = world
  if (OUTSIDE.has(after)) return
  if (life?.engine() === undefined) return
  const views = await life.views()
  world.removals.seen(views.map(({id}) => id))
  for (const view of views) {
    life.conduct(view.id)?.sees(view)
    noticeHeld(world, view)
  }
  if (world.isCalm && isThere(world) && hasCaughtUp(world)) {
    world.isClosing = true
    close(world, life, () => {
      for (const {record} of world.daemons.values())
        for (const breach of breachesOfPassivity(record()))
          verdict.broken('a daemon was told what a watcher must not say', breach)
      world.isOver = true
    })
  }
  if (verdict.violation() === undefined && world.schedule.now() > patienceEndsAt(world.plan))
    verdict.broken('a source did not catch up', JSON.stringify(views.map(({connection}) => connection)))
}

/** Nobody clicks on a machine that sleeps, or closes anything on it: a new numbering may come by the cursor of before meanwhile. */
function isThere({isClosing, awakeAt, schedule}: World): boolean {
  return !isClosing && awakeAt <= schedule.now()
}

function hasCaughtUp({witnesses, switches, daemons, streams, removals}: World): boolean {
  const isDone = [...witnesses].every(([name, witness]) => removals.has(name) || witness.unhandled() === 0)
  const isSent = [...switches.values()].every((witness) => witness.handled('mark') > 0)
  const isLevel = [...daemons].every(([path, daemon]) => {
    const own = path.slice(1)
    return removals.has(own) ? daemon.marked() : standsLevel(witnesses.get(own), daemon)
  })
  return isDone && isSent && isLevel && [...streams].every(([name, {server}]) => isAtHead(witnesses.get(name), server))
}

/** The session is where its daemon says, and both are where nothing was before it was calm. */
function standsLevel(witness: Witness | undefined, daemon: DaemonServer): boolean {
  const at = daemon.standsAt()
  const {generation = '', sequence = -1} = at ?? {}
  return daemon.marked() && witness?.position().get(`g:${generation}`) === sequence
}

/** It was told that all is well, and nothing is behind what it was told. */
function isAtHead(witness: Witness | undefined, server: NumberedServer): boolean {
  const head = positionOf({held: server.standsAt(), left: new Set()})
  return server.marked() && witness !== undefined && areEqual(witness.position(), head)
}

type Maybe = UserAct | undefined

const ON_A_FRAME: readonly [Maybe, ...Maybe[]] = [
  undefined,
  'retry',
  'retry',
  'skip',
  'skip',
  'skipTwice',
  'skipAndRetry',
  'retryAndSkip',
  'pause',
]

const ON_A_NUMBERING: readonly [Maybe, ...Maybe[]] = [
  undefined,
  'take',
  'take',
  'take',
  'take',
  'take',
  'take',
  'takeTwice',
  'takeAndRetry',
  'retryAndTake',
  'retryTwice',
  'retry',
  'retry',
  'skip',
  'pause',
]

const ON_A_TAKEN_ONE: readonly [Maybe, ...Maybe[]] = [
  undefined,
  'keep',
  'keep',
  'keepAndRetry',
  'retryAndKeep',
  'retry',
  'skip',
  'pause',
]

/** Most people who see that a source is held do something about it, soon or late, sometimes twice. */
function noticeHeld(world: World, view: SourceView): void {
  const {id, connection} = view
  const frame = connection.state === 'held' ? connection.frame : undefined
  if (frame === undefined) return void world.held.delete(id)
  const about = view.takingNumbering === true ? `${frame}, taken` : `${frame}`
  if (world.held.get(id) === about) return
  world.held.set(id, about)
  const dice = world.dice.fork(`held ${id} ${about}`)
  const does = dice.pick(waysOut(view))
  const {life} = world
  if (does === undefined || life === undefined) return
  world.schedule.after(dice.between(0, dice.pick([1, 20, 3_000])), 'user', life, () => void click(world, id, does))
}

function waysOut({connection, takingNumbering}: SourceView) {
  if (takingNumbering === true) return ON_A_TAKEN_ONE
  return connection.because?.kind === 'numberingReset' ? ON_A_NUMBERING : ON_A_FRAME
}

/** Nothing goes wrong any more; what was let go is taken up again, and the user sets everything going. */
export function calm(world: World): void {
  world.isCalm = true
  world.armed = []
  world.trace.note(() => 'calm')
  for (const daemon of world.daemons.values()) keepMarking(world, daemon)
  for (const {server} of world.streams.values()) keepMarking(world, server)
  world.life?.releaseHanging()
  const lookAround = (looks: number): void => {
    void lookAfter(world, looks % 2 === 0 ? 'retry' : 'skip')
    world.schedule.after(3_000, 'user', WORLD, () => lookAround(looks + 1))
  }
  lookAround(0)
}

function keepMarking(world: World, server: Pick<DaemonServer, 'mark'>): void {
  server.mark()
  world.schedule.after(MARK_EVERY_MS, 'server', WORLD, () => keepMarking(world, server))
}

async function lookAfter(world: World, onHeld: UserAct): Promise<void> {
  const views = isThere(world) ? ((await world.life?.views()) ?? []) : []
  for (const {id, paused, connection} of views) {
    const kind = connection.state
    if (paused) await click(world, id, 'resume')
    else if (kind === 'held') await click(world, id, connection.because?.kind === 'numberingReset' ? 'take' : onHeld)
    else if (kind === 'stopped') await click(world, id, 'newConnection')
  }
}
