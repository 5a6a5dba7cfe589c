import type {HistoryView} from '../contract/contract.ts'
import {type Cursor, pairText} from '../cursor/cursor.ts'
import type {CursorPlace} from '../source/numbered.ts'
import type {StopReason} from '../source/source-machine.ts'
import {explainEnding} from './explain.ts'
import type {Explanation} from './explanation.ts'
import {nameCursorPlace} from './name-cursor-place.ts'

type Read = Extract<HistoryView, {kind: 'read'}>

/** What a trial of a numbered stream found, beyond that it was reached. */
export interface StreamTrial {
  /** `doubtful`: it would be watched, and no cursor would move. */
  readonly tone: 'well' | 'doubtful'
  readonly words: readonly string[]
}

export function explainStreamTrial({messages, end}: Read, cursorAt: CursorPlace): StreamTrial {
  const numbered = messages.flatMap(({cursor}) => cursor ?? [])
  const [first, last] = [numbered[0], numbered.at(-1)]
  const problems = messages.filter(({problem}) => problem !== undefined)
  const control = messages.length - numbered.length - problems.length
  const others = [
    ...(control > 0 ? [`${control} without a cursor, taken to be about the connection.`] : []),
    ...(problems.length > 0
      ? [`${problems.length} that could not be read, the first because: ${problems[0]?.summary ?? ''}.`]
      : []),
  ]
  if (messages.length === 0) return {tone: 'doubtful', words: [silence(end)]}
  if (first === undefined || last === undefined)
    return {
      tone: 'doubtful',
      words: [
        `Reached, but of ${messages.length} messages none has a cursor ${nameCursorPlace(cursorAt)}. Saved like this, nothing would ever move a cursor.`,
        ...others,
      ],
    }
  const span = numbered.length === 1 ? `with cursor ${pairText(first)}` : `from ${pairText(first)} to ${pairText(last)}`
  const more = end === 'limit' ? ' There is more.' : ''
  return {
    tone: problems.length > 0 ? 'doubtful' : 'well',
    words: [
      `Reached. Read ${numbered.length} ${numbered.length === 1 ? 'message' : 'messages'} ${span}.${more}`,
      ...others,
    ],
  }
}

function silence(end: Read['end']): string {
  return end === 'ended'
    ? 'Reached, but the stream ended at once, without a message.'
    : 'Reached, but nothing came for 4 s. It may have nothing to send yet, or wait to be asked in another way.'
}

/** An ending of what was only tried: nothing runs, so nothing is tried again. */
export function explainTrialEnding(because: StopReason): Explanation {
  const {title, said} = explainEnding(because)
  return {
    title,
    detail: 'Nothing was saved, and no connection stays open.',
    whatToDo: trialRemedy(because),
    ...(said === undefined ? {} : {said}),
  }
}

function trialRemedy(because: StopReason): string {
  switch (because.kind) {
    case 'resumeRefused':
      return 'Compare how this form asks for a resume with what the server takes.'
    case 'notReached':
      return 'Check that it runs, and the address or path above.'
    case 'noFile':
      return `There is nothing at ${because.path}. If it is still to be written, save without a working test: it is looked for until it is there.`
    case 'fileUnreadable':
      return 'Check that it is a file which this user may read.'
    default:
      return 'Check the fields above.'
  }
}

/** A question about the past that was not answered with messages. */
export function explainHistoryRefusal(because: StopReason, from: Cursor | undefined): Explanation {
  const asked = from === undefined ? 'the beginning' : pairText(from)
  const {title, said} = explainEnding(because)
  const heard = said === undefined ? {} : {said}
  const detail = 'Nothing was read. The source’s own cursor was neither used nor moved.'
  switch (because.kind) {
    case 'futureCursor':
      return {
        ...heard,
        title: `${asked} is ahead of everything the server knows`,
        detail,
        whatToDo: 'Ask from a cursor that it has passed.',
      }
    case 'resumeRefused':
      return {
        ...heard,
        title: `The server refused to begin at ${asked}`,
        detail,
        whatToDo: 'Ask from another cursor, or compare how this source asks with what the server takes.',
      }
    default:
      return {...heard, title, detail, whatToDo: 'Ask again when the server runs.'}
  }
}

/** How much of what was asked for this is. */
export function explainHistoryEnd({messages, end}: Read, from: Cursor | undefined): string {
  const after = from === undefined ? 'from the beginning' : `after ${pairText(from)}`
  const nothing = from === undefined ? 'The server holds nothing' : `Nothing came ${after}`
  const many = messages.length === 1 ? '1 message' : `${messages.length} messages`
  switch (end) {
    case 'limit':
      return `The first ${many} ${after}. There is more.`
    case 'late':
      return `${many} ${after}, as far as they came within 15 s. More was still coming.`
    case 'ended':
      return messages.length === 0 ? `${nothing}: the stream ended.` : `${many} ${after}: to its end.`
    case 'quiet':
      return messages.length === 0
        ? `${nothing}: no message came for 4 s.`
        : `${many} ${after}. Then nothing more came for a second.`
  }
}
