import type {SourceView} from '../../shared/contract/rows.ts'

/** How much a source needs its user. 0: not at all. The words for it are in `shared/words`. */
export interface Attention {
  readonly rank: number
  /** Drives colour and shape of the board's edge. */
  readonly tone: 'calm' | 'off' | 'waiting' | 'loss' | 'stopped'
}

const CALM: Attention = {rank: 0, tone: 'calm'}

export function attentionOf(view: SourceView): Attention {
  const {connection, counts} = view
  if (connection.state === 'held') return {rank: 6, tone: 'stopped'}
  if (stoppedByItself(view)) return {rank: 5, tone: 'stopped'}
  if (connection.state === 'waiting') return {rank: 4, tone: 'waiting'}
  if (connection.state === 'live' && connection.heartbeat === 'stale') return {rank: 3, tone: 'waiting'}
  if (view.notices.length > 0) return {rank: 2, tone: 'waiting'}
  if (counts.gaps > 0) return {rank: 1, tone: 'loss'}
  return connection.state === 'stopped' ? {rank: 0, tone: 'off'} : CALM
}

/** Stopped, and not because the user asked or never started it. */
export function stoppedByItself(view: SourceView): boolean {
  const {state, because} = view.connection
  return state === 'stopped' && because !== undefined && because.kind !== 'asked' && because.kind !== 'notStarted'
}
