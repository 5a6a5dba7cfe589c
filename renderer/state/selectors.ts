import {compareText} from '../../shared/base/compare-text.ts'
import type {
  ActivityRow,
  AttemptRow,
  ConnectionRow,
  FrameRow,
  GapRow,
  HoleRow,
  SourceView,
} from '../../shared/contract/rows.ts'
import {isCursorLane} from '../../shared/cursor/cursor-position.ts'
import {compareSessions, type SessionKey} from '../../shared/sessions/session-key.ts'
import {type Wire, wireOf} from '../../shared/source/source.ts'
import type {Following} from '../../shared/words/name-following.ts'
import {type Attention, attentionOf} from './attention.ts'
import type {AppState} from './store.ts'

/*
 * Everything derived. Those that build a new array are read through `useFramesOf` and its like in `use-app.ts`, which
 * build it once a version; the others may be given to `useApp` as they are.
 */

/** The frames of a source this screen holds, oldest first: the newest 5,000 of all sources. Older ones: `timeline.range`. */
export function framesOf(state: AppState, source: string): readonly FrameRow[] {
  return state.recent.rows.filter((row) => row.source === source)
}

export function attemptsOf(state: AppState, source: string): readonly AttemptRow[] {
  return state.attempts.rows.filter((row) => row.source === source)
}

export function attemptsOfFrame(state: AppState, frame: number): readonly AttemptRow[] {
  return state.attempts.rows.filter((row) => row.frame === frame)
}

/** The gaps of a source as far as the ledger was asked for, oldest first. */
export function gapsOf(state: AppState, source: string): readonly GapRow[] {
  return [...state.gaps.values()].filter((row) => row.source === source).sort((a, b) => a.frame - b.frame)
}

/** Numbers never seen of a source, as far as they were asked for, in the order in which they showed. */
export function holesOf(state: AppState, source: string): readonly HoleRow[] {
  return [...state.holes.values()].filter((row) => row.source === source).sort((a, b) => a.frame - b.frame)
}

export function activitiesOf(state: AppState, source: string): readonly ActivityRow[] {
  return state.activities.rows.filter((row) => row.source === source)
}

/** The connection states of a source since this screen opened, oldest first; the newest is also in its view. */
export function connectionsOf(state: AppState, source: string): readonly ConnectionRow[] {
  return state.connections.get(source) ?? NO_CONNECTIONS
}

const NO_CONNECTIONS: readonly ConnectionRow[] = []

export function selectedView(state: AppState): SourceView | undefined {
  return state.selectedSource === undefined ? undefined : state.sources.get(state.selectedSource)
}

/** The source that is shown, with its column or without; absent: all of them are. */
export function shownSource({selectedSource, scope}: Pick<AppState, 'selectedSource' | 'scope'>): string | undefined {
  return selectedSource ?? scope
}

/** Its position is a cursor {generation, sequence}, or will be: no vector with `s`. */
export function holdsCursor({settings, position}: SourceView): boolean {
  return wireOf(settings) !== 'switch' || position.some(([key]) => isCursorLane(key))
}

/** What a source speaks, while it is on the board. */
export function wireOfSource({sources}: Pick<AppState, 'sources'>, source: string): Wire | undefined {
  const view = sources.get(source)
  return view === undefined ? undefined : wireOf(view.settings)
}

/** The source that watches a Prime session. */
export function sourceOfSession({sources}: Pick<AppState, 'sources'>, session: SessionKey): SourceView | undefined {
  for (const view of sources.values()) if (compareSessions(view, session) === 'same') return view
  return undefined
}

/** The source whose server can be asked for its past: the one that is chosen, or all is narrowed to. */
export function historySource(state: AppState): SourceView | undefined {
  const view = state.sources.get(shownSource(state) ?? '')
  return view !== undefined && wireOf(view.settings) === 'numbered' ? view : undefined
}

export interface BoardRow {
  readonly view: SourceView
  readonly attention: Attention
}

/** The board: what needs attention most comes first, then by name. */
export function boardRows(sources: ReadonlyMap<string, SourceView>, losing: ReadonlySet<string>): readonly BoardRow[] {
  return [...sources.values()]
    .map((view) => ({view, attention: attentionOf(view, losing.has(view.id))}))
    .sort((a, b) => b.attention.rank - a.attention.rank || compareText(a.view.name, b.view.name))
}

/** The sources in scope: one, or all. */
export function scopedSources(state: AppState): readonly SourceView[] {
  return [...state.sources.values()].filter((view) => state.scope === undefined || view.id === state.scope)
}

export function gapCount(state: AppState): number {
  return scopedSources(state).reduce((sum, view) => sum + view.counts.gaps, 0)
}

/** Numbers never seen, in as many stretches. */
export function holeCount(state: AppState): number {
  return scopedSources(state).reduce((sum, view) => sum + view.counts.holes, 0)
}

/** What the user decided about numberings that began anew. */
export function numberingCount(state: AppState): number {
  return scopedSources(state).reduce((sum, view) => sum + view.counts.numberings, 0)
}

/** Callbacks that are open, or failed and not yet made good. */
export function unsettledCallbacks(state: AppState): number {
  return scopedSources(state).filter(hasUnsettledCallback).length
}

function hasUnsettledCallback(view: SourceView): boolean {
  const {state, because} = view.connection
  // What begins a numbering anew waits for the user's word, and not for a callback.
  const isHeld = state === 'held' && because?.kind !== 'numberingReset'
  return view.openAttempt !== undefined || isHeld || view.rejectedOpen > 0
}

/** All frames the engine holds for the sources in scope. */
export function storedFrames(state: AppState): number {
  return scopedSources(state).reduce((sum, view) => sum + view.counts.frames, 0)
}

export function followingOf({live, listFrozen, link}: Pick<AppState, 'live' | 'listFrozen' | 'link'>): Following {
  if (!live) return 'nothing'
  if (link.kind !== 'ready') return 'cutOff'
  return listFrozen ? 'notTheList' : 'all'
}

/** Frames received and not yet acknowledged, over all sources. */
export function queuedFrames(state: AppState): number {
  let sum = 0
  for (const view of state.sources.values()) sum += view.waiting
  return sum
}

/** The engine sends a batch within 33 ms of a change: where none came for this long, in ms, nothing was journaled. */
const QUIET_MS = 2_000

/** Nothing has changed for a while, so what the last batch told of its speed is over. */
function isQuiet({batchAt, now}: AppState): boolean {
  return batchAt !== undefined && Math.abs(now - batchAt) > QUIET_MS // either clock may have been set
}

/** Frames journaled a second, now; undefined where it is not known. */
export function rateNow(state: AppState): number | undefined {
  return state.rate !== undefined && isQuiet(state) ? 0 : state.rate
}

/** How late the screen is, now: a figure where changes come, `quiet` where none do; undefined where it is not known. */
export function lagNow(state: AppState): number | 'quiet' | undefined {
  return state.lagMs !== undefined && isQuiet(state) ? 'quiet' : state.lagMs
}
