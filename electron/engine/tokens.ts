import type {Brand} from '../../shared/base/brand.ts'
import type {SourceId} from '../../shared/source/source.ts'

/** Names a secret that belongs to something else than a source's own connection. */
export type SecretName = Brand<string, 'SecretName'>

/** Where credentials live: apart from the store, from logs and from every export. */
export interface TokenStore {
  readonly get: (of: SourceId | SecretName) => Promise<string | undefined>
  readonly set: (of: SourceId | SecretName, token: string) => Promise<void>
  readonly delete: (of: SourceId | SecretName) => Promise<void>
  /** In words for the user: where and how they are kept. */
  readonly describe: string
}
