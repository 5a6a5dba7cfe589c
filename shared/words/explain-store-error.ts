import {assertNever} from '../base/assert-never.ts'
import {type Explanation, type Words, withSaid} from './explanation.ts'

/** The kinds of a store that says no. The engine's own type of the same kinds is assignable. */
export type StoreProblem = 'full' | 'readOnly' | 'busy' | 'corrupt' | 'newerSchema' | 'olderSchema' | 'io' | 'closed'

export function explainStoreError(error: {readonly kind: StoreProblem; readonly detail: string}): Explanation {
  return withSaid(storeWords(error.kind), error.detail)
}

function storeWords(kind: StoreProblem): Words {
  switch (kind) {
    case 'full':
      return {
        title: 'The disk is full',
        detail: 'Reading of all sources stopped where the history ends.',
        whatToDo: 'Free some space; the sources then go on from their positions.',
      }
    case 'readOnly':
      return {
        title: 'The history cannot be written',
        detail: 'Nothing is read from any source.',
        whatToDo: 'Make the profile’s folder writable, or choose another one.',
      }
    case 'busy':
      return {
        title: 'Another process holds the history',
        detail: 'Nothing was written.',
        whatToDo: 'Close the other Tidemark on this profile, or choose another profile.',
      }
    case 'corrupt':
      return {
        title: 'The history on disk is damaged',
        detail: 'It is not written to any more, so that nothing gets worse; what can be read still is.',
        whatToDo:
          'Run `tidemark rescue`: it saves everything that can be read into a new file and leaves this one as it is.',
      }
    case 'newerSchema':
      return {
        title: 'The history was written by a newer Tidemark',
        detail: 'It was not touched.',
        whatToDo: 'Use the newer version, or choose another profile.',
      }
    case 'olderSchema':
      return {
        title: 'The history was written by an older Tidemark',
        detail: 'It was not touched: only reading was asked for.',
        whatToDo: 'Start this version once with the profile: it keeps a backup and brings the history up to date.',
      }
    case 'io':
      return {
        title: 'The disk failed',
        detail: 'What was being written is not durable; no position moved for it.',
        whatToDo: 'Look at the disk, then start Tidemark again.',
      }
    case 'closed':
      return {
        title: 'The history is closed',
        detail: 'Nothing was written.',
        whatToDo: 'Tidemark is shutting down; start it again.',
      }
    default:
      return assertNever(kind)
  }
}
