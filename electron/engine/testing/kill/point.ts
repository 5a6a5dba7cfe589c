import type {NumberedSettings} from '../../../../shared/source/numbered.ts'

/** What a child is told, as one JSON argument. */
export interface ChildPlan {
  /** The profile's folder. It stays the same over every life. */
  readonly profile: string
  readonly source: WatchedSource
  /** Where compiled code is kept from one life to the next: half of a start is compiling. */
  readonly compiled: string
  /** Where each effect is appended, one JSON object a line. */
  readonly effects: string
  /** Which thread waits for one byte at every point that it passes: the engine's, or the one that writes the store. */
  readonly waits: 'engine' | 'store' | 'nowhere'
  readonly work: Work
  /** A bug that is planted in it (plant-bug.ts). */
  readonly bug?: string
  /** It closes by itself: once it settled a frame, or in the middle of a callback. Absent: it never does. */
  readonly closes?: 'settled' | 'inCallback'
  /** Where it is held because a numbering began anew, it decides as the user would. Absent: it does not. */
  readonly decides?: 'take' | 'keep'
  /** History older than so many days is deleted. Absent: none is. */
  readonly keepDays?: number
}

/** What a child watches, and where. */
export type WatchedSource =
  | {readonly kind: 'bridge'; readonly url: string; readonly agentId: string; readonly token: string}
  | {readonly kind: 'daemon'; readonly socket: string; readonly sessionId: string}
  | {readonly kind: 'numbered'; readonly settings: NumberedSettings}

/** In the environment of a child: what its plan says of `waits`, for its other threads. */
export const WAITS = 'TIDEMARK_TEST_WAITS'
/** In the environment of a child, and of everything that it starts: the profile of its patient. */
export const WARD = 'TIDEMARK_TEST_WARD'
/** In the environment of a child: the bug that is planted in it. */
export const BUG = 'TIDEMARK_TEST_BUG'

/**
 * What a callback does beside its effect: nothing more, or what a scenario of the demo says, so many times faster. `command`: a
 * handler of the user's, whose effect is that of a process of its own; `webhook`: likewise, and of a server. `none`: the journal is the callback.
 */
export type Work =
  | {readonly kind: 'none'}
  | {readonly kind: 'effect'}
  | {readonly kind: 'command'}
  | {readonly kind: 'webhook'; readonly url: string}
  | {readonly kind: 'scenario'; readonly name: string; readonly speed: number}

/**
 * The points between which a process can die, in the order in which a frame passes them: read from the wire; before and after
 * the commit that journals it; its callback begun; its effect durable; its callback about to end; before and after the commit
 * that acknowledges it. Without callbacks the two commits are one.
 */
export const FRAME_POINTS = [
  'received',
  'journaling',
  'journaled',
  'begun',
  'effect',
  'ended',
  'settling',
  'settled',
] as const
export type FramePoint = (typeof FRAME_POINTS)[number]

/** What the thread of the engine says, one line each. */
export interface Passed {
  /** `opening`, `beating`: about to ask the server. `published`: told to screens. `closing`: by itself. `state`: of the connection. */
  readonly point: FramePoint | 'opening' | 'beating' | 'published' | 'closing' | 'state'
  /** Names of the frames it is about. */
  readonly frames: readonly string[]
  /** Ids of those it journaled. */
  readonly ids?: readonly number[]
  /** How the frames of `settling` and `settled` end. */
  readonly outcomes?: readonly string[]
  /** The acknowledged `s`, as this process knows it to be durable. */
  readonly own?: number
  /** Where an open asks from, and what a beat reports. */
  readonly from?: number | 'head'
  /** For a stream of cursors: the cursor that an open asks from, and the one that is durable. */
  readonly cursor?: {readonly asked: string; readonly held: string}
  /** As told to screens, and as one text (`textOf`). */
  readonly position?: string
  /** The kind of the connection's state, where it changed. */
  readonly state?: string
}

/** Where the thread that writes the store can die. What a transaction is for is known once it did something. */
export const STORE_POINTS = [
  'beginning',
  'pruning',
  'pruned',
  'backingUp',
  'backedUp',
  'migrating',
  'migrated',
  'committing',
  'committed',
  'closing',
  'closed',
] as const
export type StorePoint = (typeof STORE_POINTS)[number]

/** What the thread that writes the store says, one line each. */
export interface StorePassed {
  readonly point: StorePoint
  readonly of?: 'write' | 'prune' | 'migration'
  /** Of this very connection, while it is open. 2 is FULL. */
  readonly synchronous?: number
}

/** One line of the effects file. */
export interface Effect {
  readonly frame: string
  readonly attempt: number
  /** Whoever had the effect was told that an earlier one may stand. Absent: nobody is told so in words. */
  readonly warned?: boolean
}

/** Two positions are the same where their texts are. */
export function textOfPosition(pairs: Iterable<readonly [key: string, sequence: number]>): string {
  return JSON.stringify([...pairs].sort(([a], [b]) => (a < b ? -1 : 1)))
}
