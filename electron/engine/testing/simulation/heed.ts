import type {Owner} from './schedule.ts'

/** An owner that may die while it listens. */
export interface Mortal extends Owner {
  /** Each ends its listening to one signal. */
  readonly heeding: Set<() => void>
}

/**
 * Listens to a signal on behalf of a life, and returns the undo. Node keeps a combined signal, and everything behind it, as
 * long as somebody listens to it: so none of the dead may go on listening, or every world would keep the engines that died in
 * it.
 */
export function heed(owner: Mortal, signal: AbortSignal, onAbort: () => void): () => void {
  const undo = (): void => {
    owner.heeding.delete(undo)
    signal.removeEventListener('abort', heard)
  }
  const heard = (): void => {
    undo()
    onAbort()
  }
  owner.heeding.add(undo)
  signal.addEventListener('abort', heard, {once: true})
  return undo
}
