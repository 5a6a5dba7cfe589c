import type {Handler} from '../../../../shared/handlers/handler.ts'

export type HandlerList = readonly Handler[]

/** Which lists of handlers a source may work by. */
export interface HandlerLists {
  /** This list is on the disk: another process would begin with it. */
  readonly durable: (list: HandlerList) => void
  /** The engine is told so. */
  readonly acknowledged: (list: HandlerList) => void
  /** Another process begins. */
  readonly lifeBegan: () => void
  /** The source was reached anew, so that nothing of it works as before. */
  readonly reached: () => void
  /** Every list that was in force at some instant from then on. */
  readonly since: (at: number) => readonly HandlerList[]
}

interface Past {
  readonly list: HandlerList
  readonly until: number
}

const NONE: HandlerList = []

export function createHandlerLists(first: HandlerList, now: () => number): HandlerLists {
  let kept = first
  let current = first
  let past: readonly Past[] = []
  /** The first handlers of a source begin where it is reached anew; what was read before may be done with without them. */
  let mayHaveNone = false
  return {
    durable(list) {
      kept = list
    },
    acknowledged(list) {
      mayHaveNone ||= current.length === 0
      past = [...past, {list: current, until: now()}]
      current = list
    },
    lifeBegan() {
      current = kept
      past = []
      mayHaveNone = false
    },
    reached() {
      mayHaveNone = false
    },
    since: (at) => [
      current,
      ...past.flatMap(({list, until}) => (until >= at ? [list] : [])),
      ...(mayHaveNone ? [NONE] : []),
    ],
  }
}
