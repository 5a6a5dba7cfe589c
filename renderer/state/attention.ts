import type {GapRow, SourceView} from '../../shared/contract/rows.ts'
import type {StopReason} from '../../shared/source/source-machine.ts'

/** How much a source needs its user. 0: not at all. The words for it are in `shared/words`. */
export interface Attention {
  readonly rank: number
  /** Drives colour and shape of the board's edge. */
  readonly tone: 'calm' | 'off' | 'waiting' | 'loss' | 'stopped'
}

const CALM: Attention = {rank: 0, tone: 'calm'}

/** @param losing - a loss was declared lately, or is not handled yet: see `losingSources` */
export function attentionOf(view: SourceView, losing: boolean): Attention {
  const {connection} = view
  if (connection.state === 'held') return {rank: 6, tone: 'stopped'}
  if (stoppedByItself(view)) return {rank: 5, tone: 'stopped'}
  if (connection.state === 'waiting' && !isAtRest(connection)) return {rank: 4, tone: 'waiting'}
  if (connection.state === 'live' && connection.heartbeat === 'stale') return {rank: 3, tone: 'waiting'}
  if (view.notices.length > 0) return {rank: 2, tone: 'waiting'}
  if (losing) return {rank: 1, tone: 'loss'}
  return connection.state === 'stopped' || isAtRest(connection) ? {rank: 0, tone: 'off'} : CALM
}

/** Nothing is wrong and nothing is to be done: there is no more of it for now, and it is watched again when there is. */
function isAtRest({state, because}: SourceView['connection']): boolean {
  return state === 'waiting' && because !== undefined && RESTS.has(because.kind)
}

const RESTS: ReadonlySet<string> = new Set<StopReason['kind']>(['sessionReplaced', 'sessionClosed', 'idle'])

/** Stopped, and not because the user asked, or because nothing watches it. A recording has nothing to go on with. */
export function stoppedByItself({connection, settings}: SourceView): boolean {
  const {state, because} = connection
  return state === 'stopped' && because !== undefined && !CALM_STOPS.has(because.kind) && settings.kind !== 'recording'
}

const CALM_STOPS: ReadonlySet<string> = new Set<StopReason['kind']>(['asked', 'notStarted', 'closedWithApp'])

/** How long a declared loss is news, in ms. No gap is ever closed, so a count since ever would cry for good. */
const LOSS_IS_NEWS_MS = 15 * 60_000

/** Sources with a gap whose callback is open, or that came lately and nobody has accounted for. */
export function losingSources(gaps: Iterable<GapRow>, now: number): ReadonlySet<string> {
  const losing = new Set<string>()
  for (const {source, outcome, receivedAt, account} of gaps) {
    const isNews = account === undefined && now - receivedAt < LOSS_IS_NEWS_MS
    if (outcome === 'pending' || isNews) losing.add(source)
  }
  return losing
}
