import type {SourceId} from '../../../shared/source/source.ts'
import type {SecretName} from '../tokens.ts'

/** Under which name a handler's secret lies where tokens are. */
export function secretOf(source: SourceId, handler: string): SecretName {
  return `${source} handler ${handler}` as SecretName // the one place that makes them
}
