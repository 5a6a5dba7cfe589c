/** One run of a callback, as the world outside saw it. Its effect happened when it began, and stands whatever comes after. */
export interface Run {
  readonly key: string
  readonly attempt: number
  state: 'running' | 'resolved' | 'rejected'
}

/** The effects of one source's callbacks. They survive every crash: they are not ours. */
export interface Runs {
  readonly begin: (key: string, attempt: number) => Run
  /** Of the latest run of this attempt. */
  readonly state: (key: string, attempt: number) => Run['state'] | undefined
  /** Runs of this frame since it was last settled. */
  readonly count: (key: string) => number
  readonly settle: (key: string) => void
}

export function createRuns(): Runs {
  const runs = new Map<string, Run[]>()
  return {
    begin(key, attempt) {
      const run: Run = {key, attempt, state: 'running'}
      runs.set(key, [...(runs.get(key) ?? []), run])
      return run
    },
    state: (key, attempt) => runs.get(key)?.findLast((run) => run.attempt === attempt)?.state,
    count: (key) => runs.get(key)?.length ?? 0,
    settle: (key) => void runs.delete(key),
  }
}
