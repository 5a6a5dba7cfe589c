import type {ReactElement} from 'react'
import type {AttemptRow, FrameRow, GapRow} from '../../shared/contract/rows.ts'
import './mark.css'

/** Each mark has a shape of its own, so that colour is never the only sign. */
export type MarkShape =
  | 'dot'
  | 'dashedRing'
  | 'ring'
  | 'square'
  | 'cross'
  | 'triangle'
  | 'chevrons'
  | 'dash'
  | 'tick'
  | 'diamond'

export type Tone = 'handled' | 'pending' | 'rejected' | 'gap' | 'malformed' | 'quiet'

export interface MarkLook {
  readonly shape: MarkShape
  readonly tone: Tone
}

const OUTCOME_LOOKS: {readonly [O in FrameRow['outcome']]: MarkLook} = {
  pending: {shape: 'dashedRing', tone: 'pending'},
  handled: {shape: 'dot', tone: 'handled'},
  rejected: {shape: 'ring', tone: 'rejected'},
  skipped: {shape: 'chevrons', tone: 'pending'},
  discarded: {shape: 'square', tone: 'quiet'},
  malformed: {shape: 'cross', tone: 'malformed'},
  control: {shape: 'dash', tone: 'quiet'},
  duplicate: {shape: 'tick', tone: 'quiet'},
  stale: {shape: 'tick', tone: 'quiet'},
}

const GAP_LOOKS: {readonly [O in GapRow['outcome']]: MarkLook} = {
  pending: {shape: 'dashedRing', tone: 'pending'},
  replaced: {shape: 'triangle', tone: 'gap'},
  ownReplaced: {shape: 'triangle', tone: 'gap'},
  unmoved: {shape: 'triangle', tone: 'gap'},
  rejected: {shape: 'ring', tone: 'rejected'},
  malformed: {shape: 'cross', tone: 'malformed'},
  skipped: {shape: 'chevrons', tone: 'pending'},
}

const ATTEMPT_LOOKS: {readonly [S in AttemptRow['state']]: MarkLook} = {
  pending: {shape: 'dashedRing', tone: 'pending'},
  resolved: {shape: 'dot', tone: 'handled'},
  rejected: {shape: 'ring', tone: 'rejected'},
  timedOut: {shape: 'ring', tone: 'rejected'},
  aborted: {shape: 'cross', tone: 'rejected'},
}

export function lookOfOutcome(outcome: FrameRow['outcome']): MarkLook {
  return OUTCOME_LOOKS[outcome]
}

/** Of a frame in whatever list: neither a snapshot that was taken nor a gap that was is an event that was handled. */
export function lookOfFrame({kind, outcome}: Pick<FrameRow, 'kind' | 'outcome'>): MarkLook {
  if (outcome !== 'handled') return OUTCOME_LOOKS[outcome]
  if (kind === 'snapshot') return {shape: 'diamond', tone: 'pending'}
  return kind === 'gap' ? GAP_LOOKS.replaced : OUTCOME_LOOKS.handled
}

export function lookOfAttempt(state: AttemptRow['state']): MarkLook {
  return ATTEMPT_LOOKS[state]
}

export function lookOfGap(outcome: GapRow['outcome']): MarkLook {
  return GAP_LOOKS[outcome]
}

const SHAPES: {readonly [S in MarkShape]: ReactElement} = {
  dot: <circle cx="6" cy="6" r="3.6" fill="currentColor" stroke="none" />,
  dashedRing: <circle cx="6" cy="6" r="4" strokeDasharray="2.1 2.09" />,
  ring: <circle cx="6" cy="6" r="3.8" />,
  square: <rect x="2.5" y="2.5" width="7" height="7" />,
  cross: <path d="M2.6 2.6l6.8 6.8M9.4 2.6l-6.8 6.8" />,
  triangle: <path d="M1.6 2.6h8.8L6 10z" />,
  chevrons: <path d="M2 2.5L5.5 6 2 9.5M6.2 2.5L9.7 6 6.2 9.5" />,
  dash: <path d="M2.5 6h7" />,
  tick: <path d="M6 2v5M3 9.5h6" />,
  diamond: <path d="M6 1.6L10.4 6 6 10.4 1.6 6z" />,
}

/** Decoration: the word beside it says the same. */
export function Mark({shape, tone}: MarkLook): ReactElement {
  return (
    <svg className={`mark tone-${tone}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {SHAPES[shape]}
    </svg>
  )
}
