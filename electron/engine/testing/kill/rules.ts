import type {KeptFrame, KeptProfile} from './check-profile.ts'
import {isBaseline} from './frame-names.ts'
import {type Effect, type Passed, textOfPosition} from './point.ts'
import type {Promised} from './promises.ts'
import type {Life} from './run-child.ts'

/* What must be true after every death. Each rule returns what breaks it, in words; nothing where it holds. */

/** Frames by which a cursor may have moved, or which were decided on without one. */
const DONE = new Set(['handled', 'discarded', 'skipped', 'control', 'malformed'])
/** So many are named. */
const NAMED = 5

export function broken(what: string, where: readonly unknown[]): readonly string[] {
  return where.length === 0 ? [] : [`${what}: ${where.length} times, ${JSON.stringify(where.slice(0, NAMED))}`]
}

/** Nothing that was said to be durable, or shown, is gone. */
export function forgotten({frames, reached, pruned}: KeptProfile, promised: Promised): readonly string[] {
  const names = new Map(frames.map(({id, name}) => [id, name]))
  const journaled = [...promised.journaled].filter(([id, name]) => id >= pruned.below && names.get(id) !== name)
  const outcomes = Map.groupBy(frames, ({name}) => name)
  const stays = new Set([...promised.journaled].flatMap(([id, name]) => (id >= pruned.below ? [name] : [])))
  const settled = [...promised.settled].filter(
    ([name, outcome]) =>
      stays.has(name) && outcomes.get(name)?.some((one) => one.outcome === outcome || isDone(one)) !== true,
  )
  const durable = new Set(reached)
  return [
    ...broken('a journaled frame is gone', journaled),
    ...broken('a settled frame is not', settled),
    ...(pruned.frames > 0
      ? []
      : broken(
          'what was shown was never durable',
          [...promised.shown].filter((one) => !durable.has(one)),
        )),
  ]
}

/** The cursor is where the moves lead; what waits is younger than every move. */
export function misplaced(kept: KeptProfile): readonly string[] {
  const {frames, moved, reached, told, pruned, source} = kept
  const held = textOfPosition(source?.position ?? [])
  const otherwise = [...told].filter(
    ([key, after]) => (source?.position as ReadonlyMap<string, number> | undefined)?.get(key) !== (after ?? undefined),
  )
  const undone = new Set(frames.filter((frame) => !isDone(frame)).map(({id}) => id))
  const last = Math.max(0, ...moved)
  const waiting = source?.unhandled.map(({frame}) => Number(frame.id)) ?? []
  const whole = pruned.frames === 0
  return [
    ...broken('the cursor is not where its moves lead', otherwise),
    ...(whole && reached.at(-1) !== held ? [`the moves lead to ${reached.at(-1)}, the cursor is ${held}`] : []),
    ...broken(
      'the cursor passed what waits',
      waiting.filter((id) => id <= last),
    ),
    ...broken(
      'a frame moved the cursor and is not handled',
      moved.filter((id) => undone.has(id)),
    ),
  ]
}

export function isDone({outcome}: KeptFrame): boolean {
  return DONE.has(outcome)
}

/** What is handled had its effect; a second effect says that it is one, and none ran of which the journal knows nothing. */
export function unannounced({frames}: KeptProfile, effects: readonly Effect[]): readonly string[] {
  const runs = Map.groupBy(effects, ({frame}) => frame)
  const called = frames.filter(({kind, outcome}) => (kind === 'event' || kind === 'gap') && outcome === 'handled')
  const repeated = [...runs].filter(([, attempts]) =>
    attempts.some(({attempt}, n) => attempt <= (n === 0 ? 0 : (attempts[n - 1]?.attempt ?? 0))),
  )
  const begun = new Set(frames.flatMap(({name, attempts}) => attempts.map(({n}) => `${n} ${name}`)))
  const unwarned = effects.filter(({attempt, warned = attempt > 1}) => warned !== attempt > 1)
  return [
    ...broken(
      'handled without its effect',
      called.filter(({name}) => !runs.has(name)).map(({name}) => name),
    ),
    ...broken('a second effect is not announced', [...repeated, ...unwarned]),
    ...broken(
      'an effect of a run that the store does not know',
      effects.filter(({frame, attempt}) => !begun.has(`${attempt} ${frame}`)),
    ),
  ]
}

/** What a death cut off reads so as soon as another life runs a callback, and its frame came again first, as the next attempt. */
export function uncounted(before: KeptProfile | undefined, {frames}: KeptProfile, {passed}: Life): readonly string[] {
  if (!passed.some(({point}) => point === 'begun')) return []
  const now = new Map(frames.map((frame) => [frame.id, frame]))
  const cutOff = (before?.frames ?? []).flatMap(({id, attempts}) =>
    attempts.flatMap(({n, state}) => (state === 'pending' && now.has(id) ? [{id, n}] : [])),
  )
  const stateOf = (id: number, n: number) => now.get(id)?.attempts.find((attempt) => attempt.n === n)?.state
  return [
    ...broken(
      'a run that a death cut off does not read so',
      cutOff.filter(({id, n}) => stateOf(id, n) !== 'aborted'),
    ),
    ...broken(
      'what a death cut off did not come again first',
      cutOff.filter(({id, n}) => stateOf(id, n + 1) === undefined),
    ),
  ]
}

/** Without callbacks a frame is durable and acknowledged in one, so none can be there twice. */
export function repeated({frames}: KeptProfile): readonly string[] {
  const events = frames.filter(({kind}) => kind === 'event').map(({name}) => name)
  return broken(
    'journaled twice',
    events.filter((name, n) => events.indexOf(name) !== n),
  )
}

/** What one life did, in its own order: nothing is acknowledged before its callback ended, nor asked or told above what is. */
export function outOfOrder({passed, stored}: Life, callbacks: boolean): readonly string[] {
  const ended = new Set<string>()
  const wrong: Passed[] = []
  for (const one of passed) {
    const {point, frames, from = 0, own = 0, cursor, outcomes = []} = one
    if (point === 'ended') for (const name of frames) ended.add(name)
    if (point === 'opening' && (from !== own || cursor?.asked !== cursor?.held)) wrong.push(one)
    if (point === 'beating' && Number(from) > own) wrong.push(one)
    const early = frames.filter((name, n) => outcomes[n] === 'handled' && !ended.has(name) && !isBaseline(name))
    if (point === 'settling' && callbacks && early.length > 0) wrong.push(one)
  }
  const lax = stored.filter(({synchronous = 2}) => synchronous !== 2)
  return [...broken('out of order', wrong), ...broken('a connection that does not sync every commit', lax)]
}
