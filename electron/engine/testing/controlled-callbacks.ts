import type {Callbacks, Delivery} from '../callbacks.ts'

/** One run of a callback that the test ends. */
export interface Run extends Delivery {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  ended: boolean
}

export interface ControlledCallbacks extends Callbacks {
  /** Every run begun, in order. */
  readonly runs: readonly Run[]
  /** Those that still run. */
  readonly open: () => readonly Run[]
  /** Ends what runs and whatever begins later, well. */
  readonly release: () => void
}

/** Callbacks that run until the test says how they end. They heed no signal: the worst that a user's could do. */
export function createControlledCallbacks(): ControlledCallbacks {
  const runs: Run[] = []
  let released = false
  const call = (delivery: Delivery): Promise<void> => {
    const {promise, resolve, reject} = Promise.withResolvers<void>()
    const end = <A extends unknown[]>(how: (...args: A) => void) => {
      return (...args: A): void => {
        run.ended = true
        how(...args)
      }
    }
    const run: Run = {...delivery, resolve: end(() => resolve()), reject: end(reject), ended: false}
    runs.push(run)
    if (released) run.resolve()
    return promise
  }
  const open = (): readonly Run[] => runs.filter(({ended}) => !ended)
  return {
    runs,
    open,
    onEvent: call,
    onGap: call,
    release() {
      released = true
      for (const run of open()) run.resolve()
    },
  }
}
