import type {NewSource} from '../../../shared/contract/contract.ts'

/** What a form amounts to. */
export type DraftReading =
  | {readonly kind: 'ready'; readonly source: NewSource}
  /** In words: what keeps it from being tried. */
  | {readonly kind: 'notReady'; readonly missing: readonly string[]}
