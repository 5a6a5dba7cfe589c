import {assertNever} from '../base/assert-never.ts'
import type {ActivityRow} from '../contract/rows.ts'
import type {StateWords} from './name-state.ts'

/** What a watched agent did, in one word. */
export function nameActivityKind(kind: ActivityRow['kind']): string {
  switch (kind) {
    case 'turn':
    case 'message':
    case 'tool':
    case 'compaction':
    case 'retry':
      return kind
    case 'bash':
      return 'shell command'
    default:
      return assertNever(kind)
  }
}

/** How far it is known to have come. */
export function nameActivityState(state: ActivityRow['state']): StateWords {
  switch (state) {
    case 'open':
      return {word: 'open', meaning: 'Its start was seen, its end not yet.'}
    case 'ended':
      return {word: 'ended', meaning: 'Its end was seen.'}
    case 'aborted':
      return {
        word: 'aborted',
        meaning: 'Its end was seen, and it says that somebody ended it: it was aborted or cancelled.',
      }
    case 'failed':
      return {word: 'failed', meaning: 'Its end was seen, and it says that it failed.'}
    case 'notSeen':
      return {
        word: 'end not seen',
        meaning: 'The stream was cut or resynced before an end came. It may have ended, or still go on.',
      }
    default:
      return assertNever(state)
  }
}
