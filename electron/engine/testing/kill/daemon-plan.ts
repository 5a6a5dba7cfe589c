/** What a child that watches a daemon is started with. */
export interface DaemonChildPlan {
  readonly store: string
  /** Of the store's worker, as a URL. */
  readonly worker: string
  readonly socket: string
  readonly sessionId: string
  readonly effects: string
}

/** One line of what callbacks did. */
export interface DaemonEffect {
  readonly generation: string
  readonly sequence: number
  readonly attempt: number
}
