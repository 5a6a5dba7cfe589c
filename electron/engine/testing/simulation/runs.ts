import type {Handler} from '../../../../shared/handlers/handler.ts'

/** One run of a callback, as the world outside saw it. Its effect happened when it began, and stands whatever comes after. */
export interface Run {
  readonly key: string
  readonly attempt: number
  /** Absent: what the source itself does. */
  readonly handler?: Handler
  state: 'running' | 'resolved' | 'rejected' | 'timedOut'
}

/** The effects of one source's callbacks. They survive every crash: they are not ours. */
export interface Runs {
  readonly begin: (run: Omit<Run, 'state'>) => Run
  /** Of this attempt, in their order. */
  readonly of: (key: string, attempt: number) => readonly Run[]
  /** The highest attempt in which this one of its handlers ran since the frame was last settled; 0 where it never did. */
  readonly lastAttempt: (key: string, handler: string | undefined) => number
  readonly settle: (key: string) => void
}

export function createRuns(): Runs {
  const runs = new Map<string, Run[]>()
  return {
    begin(begun) {
      const run: Run = {...begun, state: 'running'}
      runs.set(begun.key, [...(runs.get(begun.key) ?? []), run])
      return run
    },
    of: (key, attempt) => (runs.get(key) ?? []).filter((run) => run.attempt === attempt),
    lastAttempt: (key, handler) =>
      (runs.get(key) ?? []).reduce(
        (most, run) => (run.handler?.id === handler ? Math.max(most, run.attempt) : most),
        0,
      ),
    settle: (key) => void runs.delete(key),
  }
}
