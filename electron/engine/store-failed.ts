import type {Ending} from '../../shared/source/source-machine.ts'
import {type StoreError, StoreFailure} from './store/store.ts'

export function storeFailed(error: StoreError): Ending {
  return {kind: 'storeFailed', detail: `${error.kind}: ${error.detail}`}
}

/** What the disk refused can be done without; anything else that goes wrong is a bug and throws. */
export function onlyStoreFailure(cause: unknown): void {
  if (!(cause instanceof StoreFailure)) throw cause
}
