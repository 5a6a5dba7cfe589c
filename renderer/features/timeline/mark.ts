import type {ActivityRow, AttemptRow, FrameRow, GapRow, HoleRow} from '../../../shared/contract/rows.ts'
import type {Polyline} from '../../../shared/timeline/step-line.ts'

/** What colour repeats; shape carries the meaning. Each names a value of the palette. */
export type Tone =
  | 'line'
  | 'handled'
  | 'rejected'
  | 'malformed'
  | 'gap'
  | 'pending'
  | 'discarded'
  | 'fresh'
  | 'waiting'
  | 'text'
  | 'muted'

/** The frames a mark stands for, and when. Several where they fall into one column of pixels. */
export interface OfFrames {
  /** In the order of journaling; never empty. */
  readonly frames: readonly number[]
  /** The instant it is drawn at, epoch ms. */
  readonly at: number
}

/**
 * What became of a frame. `dot` handled; `speck` one of many small parts of something longer, handled; `diamond` a snapshot;
 * `ring` its callback rejected; `chevrons` stepped over by the user; `square` discarded on purpose; `cross` malformed;
 * `waiting` not handled yet; `tick` about the connection only; `ignored` a duplicate or stale.
 */
export type FrameShape =
  | 'dot'
  | 'speck'
  | 'diamond'
  | 'ring'
  | 'chevrons'
  | 'square'
  | 'cross'
  | 'waiting'
  | 'tick'
  | 'ignored'

export type StripState = 'fresh' | 'stale' | 'unbeaten' | 'connecting' | 'waiting' | 'stopped' | 'held'

/**
 * Everything the timeline shows, as plain data in CSS px, in the order of painting. The canvas, the pointer and the table
 * for screen readers all read the same list.
 */
export type Mark =
  /** A line of the ruler with its label. */
  | {readonly kind: 'grid'; readonly x: number; readonly label: string}
  /** A row's name, with the value at the right edge of what is known. */
  | {
      readonly kind: 'lane'
      readonly top: number
      readonly bottom: number
      readonly name: string
      readonly value: string
    }
  /** Nobody watched: neither flat nor moving. */
  | {readonly kind: 'unwatched'; readonly x0: number; readonly x1: number; readonly from: number; readonly to: number}
  /** Its frames were deleted by retention. */
  | {readonly kind: 'pruned'; readonly x0: number; readonly x1: number; readonly from: number; readonly to: number}
  | {
      readonly kind: 'strip'
      readonly x0: number
      readonly x1: number
      readonly y: number
      readonly state: StripState
      readonly words: string
      readonly from: number
      readonly to: number
    }
  | {readonly kind: 'stepLine'; readonly key: string; readonly pieces: readonly Polyline[]}
  /** How many frames fell into each column of pixels; heights in px. */
  | {readonly kind: 'density'; readonly key: string; readonly bottom: number; readonly bars: readonly DensityBar[]}
  | ({
      readonly kind: 'frame'
      readonly shape: FrameShape
      readonly key: string | undefined
      readonly x: number
      readonly y: number
    } & OfFrames)
  /** Another coordinate the same frame moved. */
  | ({readonly kind: 'echo'; readonly key: string; readonly x: number; readonly y: number} & OfFrames)
  /** From one run of a frame to its next. */
  | {readonly kind: 'link'; readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number}
  | ({
      readonly kind: 'gapBand'
      readonly x0: number
      readonly x1: number
      readonly top: number
      readonly bottom: number
      readonly edges: GapEdges
      /** Absent where only the frame is known. */
      readonly gap: GapRow | undefined
    } & OfFrames)
  /** A coordinate replaced; the triangle points the way it went. */
  | ({
      readonly kind: 'replaced'
      readonly key: string
      readonly x: number
      readonly y: number
      readonly before: number | undefined
      readonly after: number
    } & OfFrames)
  | ({
      readonly kind: 'removed'
      readonly key: string
      readonly x: number
      readonly y: number
      readonly before: number
    } & OfFrames)
  | ({
      readonly kind: 'span'
      readonly x0: number
      readonly x1: number
      readonly y: number
      readonly attempt: AttemptRow
      readonly runs: number
    } & OfFrames)
  | GenerationMark
  | NumberingMark
  /** A numbered generation begins: the same row, the order goes on. */
  | {
      readonly kind: 'boundary'
      readonly key: string
      readonly x: number
      readonly top: number
      readonly bottom: number
      readonly at: number
      readonly generation: number
      /** How many begin in this column. */
      readonly together: number
      /** One of them is lower than the one before it: it is of another numbering, and the order begins anew. */
      readonly anew: boolean
    }
  /** Numbers not seen: a broken step, from the last number held to the first behind the hole. */
  | ({
      readonly kind: 'hole'
      readonly key: string
      readonly x: number
      /** Of the upper and of the lower end. */
      readonly y0: number
      readonly y1: number
      readonly holes: readonly HoleRow[]
    } & OfFrames)
  | ActivityMark
  | {
      readonly kind: 'label'
      readonly x: number
      readonly y: number
      readonly text: string
      readonly tone: Tone
      readonly strong: boolean
      readonly width: number
    }
  /** The edge of what is known. */
  | {readonly kind: 'now'; readonly x: number}
  | {readonly kind: 'moment'; readonly x: number}
  | {readonly kind: 'selected'; readonly x: number; readonly y: number; readonly frame: number}
  | {
      readonly kind: 'selectedBand'
      readonly x0: number
      readonly x1: number
      readonly top: number
      readonly bottom: number
      readonly frame: number
    }

/** An opaque generation, from where the cursor came into it to where it left it. */
export interface GenerationMark {
  readonly kind: 'generation'
  readonly key: string
  readonly x0: number
  readonly x1: number
  readonly top: number
  readonly bottom: number
  readonly from: number
  readonly to: number
  /** Of the first event seen of it; absent where there was none, or nobody has told yet. */
  readonly first: number | undefined
  /** As far as the cursor came. */
  readonly last: number
  /** Another one took its place inside the view. What came after `last` in it is not known. */
  readonly ended: boolean
}

/** A numbering began anew, and the source was held until the user decided. Where it was taken, the cursor went back. */
export type NumberingMark = {
  readonly kind: 'numbering'
  readonly key: string
  readonly x0: number
  readonly x1: number
  readonly top: number
  readonly bottom: number
  /** Between the two sequences. */
  readonly y: number
  readonly numbering: NonNullable<FrameRow['numbering']>
  /** When the user decided, epoch ms. */
  readonly until: number
  /** Which edges are in view: solid where it was received, dashed where it was decided. */
  readonly edges: {readonly received: boolean; readonly decided: boolean}
} & OfFrames

/** What the agent did that lasts. */
export type ActivityMark = {
  readonly kind: 'activity'
  readonly x0: number
  readonly x1: number
  readonly y: number
  readonly activity: ActivityRow
  /** How many alike fall into this column. */
  readonly together: number
} & OfFrames

export interface DensityBar {
  readonly x: number
  readonly height: number
  readonly count: number
}

/** Which edges of a gap's band are in view, as they are drawn: solid where it was received, dashed where it was applied. */
export interface GapEdges {
  readonly received: boolean
  readonly applied: boolean
}
