import type {Interval} from './time-scale.ts'

/** What a connection fact tells about whether anybody was watching. It holds until the next one. */
export interface Watch {
  readonly at: number
  readonly state: 'stopped' | 'connecting' | 'live' | 'waiting' | 'held'
  /**
   * Stopped because the engine has not come to it. Told of a source that an engine before it left open, it stands at the last
   * thing that one recorded: from then on nobody watched.
   */
  readonly notStarted: boolean
  /** Stopped because the app was closed in order: from then on nobody watched. */
  readonly closedWithApp: boolean
  /** Waiting: for how long, in ms from `at`. */
  readonly delayMs?: number
}

/** A retry that comes this much later than it was due came from a machine that slept, or from an engine started anew. */
const LATE_MS = 5_000

/**
 * The stretches of a window in which nothing was watched: before the first fact, while the engine was not running, while the
 * machine slept. An engine that ended in order says when, and for one that died the next one says what it recorded last; both
 * hold up to the next state. Where nobody said it, a live stream still cannot begin to connect without having ended: the engine
 * died in between, and the stretch begins at the last thing that was recorded.
 *
 * @param watches - by time, the one in force at the window's start included; none at all claims nothing
 * @param evidence - instants at which something else was recorded, in any order
 */
export function unwatched(
  watches: readonly Watch[],
  evidence: Iterable<number>,
  window: Interval,
): readonly Interval[] {
  const first = watches[0]
  if (first === undefined) return []
  const ended: Interval[] = [{from: window.from, to: first.at}]
  const assumed: Interval[] = []
  for (const [i, watch] of watches.entries()) {
    const before = watches[i - 1]
    if (before === undefined) continue
    if (before.notStarted || before.closedWithApp) ended.push({from: before.at, to: watch.at})
    else if (startedAnew(before, watch)) assumed.push({from: before.at, to: watch.at})
    else if (before.state === 'waiting' && before.delayMs !== undefined)
      assumed.push({from: before.at + before.delayMs + LATE_MS, to: watch.at})
  }
  const last = watches.at(-1)
  if (last?.closedWithApp === true) ended.push({from: last.at, to: Number.POSITIVE_INFINITY})
  return [...ended, ...afterEvidence(assumed, evidence)]
    .map(({from, to}) => ({from: Math.max(from, window.from), to: Math.min(to, window.to)}))
    .filter(({from, to}) => to > from)
    .sort((a, b) => a.from - b.from)
}

/** What is left of a window without these stretches, which are in order. */
export function watched(window: Interval, dead: readonly Interval[]): readonly Interval[] {
  const known: Interval[] = []
  let from = window.from
  for (const stretch of dead) {
    if (stretch.from > from) known.push({from, to: stretch.from})
    from = Math.max(from, stretch.to)
  }
  if (window.to > from) known.push({from, to: window.to})
  return known
}

function startedAnew(before: Watch, watch: Watch): boolean {
  // A source that an engine left open has this said at the last thing recorded, and until then it was watched.
  if (watch.notStarted) return before.state === 'stopped'
  return before.state === 'live' && watch.state === 'connecting'
}

/** One pass over the evidence, and a search among the few stretches for each. */
function afterEvidence(dead: readonly Interval[], evidence: Iterable<number>): readonly Interval[] {
  if (dead.length === 0) return dead
  const begins = dead.map(({from}) => from)
  for (const at of evidence) {
    const i = indexHolding(dead, at)
    if (i !== undefined) begins[i] = Math.max(begins[i] ?? at, at)
  }
  return dead.map(({to}, i) => ({from: begins[i] ?? to, to}))
}

function indexHolding(dead: readonly Interval[], at: number): number | undefined {
  let [low, high] = [0, dead.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((dead[middle]?.to ?? 0) <= at) low = middle + 1
    else high = middle
  }
  const found = dead[low]
  return found !== undefined && found.from <= at ? low : undefined
}
