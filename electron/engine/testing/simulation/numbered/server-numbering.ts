import type {Entry} from '../../../../demo/numbered/numbered-log.ts'

/** Everything that one store of a server held, in order. It grows while that store is there. */
export interface Numbering {
  readonly entries: readonly Entry[]
}
