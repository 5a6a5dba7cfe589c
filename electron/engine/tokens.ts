import type {SourceId} from '../../shared/source/source.ts'

/** Where agent credentials live: apart from the store, from logs and from every export. */
export interface TokenStore {
  readonly get: (source: SourceId) => Promise<string | undefined>
  readonly set: (source: SourceId, token: string) => Promise<void>
  readonly delete: (source: SourceId) => Promise<void>
  /** In words for the user: where and how they are kept. */
  readonly describe: string
}
