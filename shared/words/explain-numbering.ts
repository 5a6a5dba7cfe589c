import type {FrameRow} from '../contract/rows.ts'
import {pairText} from '../cursor/cursor.ts'

type Numbering = NonNullable<FrameRow['numbering']>

/** Of the first frame of a new numbering, as long as nobody decided. */
export const OFFERED =
  'Received and journaled. It would begin a new numbering below our cursor, and waits for your word and for no callback.'

/** What the user said where a numbering began anew, in one line. */
export function sayNumbering({decision, held, offered}: Numbering): string {
  return decision === 'taken'
    ? `the new numbering was taken: the cursor went from ${pairText(held)} back to ${pairText(offered)}`
    : `the old numbering was kept: the cursor stays at ${pairText(held)}, and ${pairText(offered)} is stale`
}

/** The same as what it meant, for whoever looks at the frame. `when` it came to that, in words: one is taken once its first frame is handled. */
export function explainNumbering({decision, held, offered}: Numbering, when: string): string {
  const [ours, theirs] = [unbroken(held), unbroken(offered)]
  return decision === 'taken'
    ? `${when} the new numbering was taken here, on your word: from ${ours} to ${theirs}. What the lost store held after ${ours} stays unseen.`
    : `${when} you kept the old numbering here, at ${ours}: this message, ${theirs}, was called stale, and the server was asked again.`
}

/** The same in a few characters, where there is little room. */
export function shortNumbering({decision, held, offered}: Numbering): string {
  return decision === 'taken' ? `${pairText(held)} → ${pairText(offered)}` : `kept ${pairText(held)}`
}

/** In a sentence a line must not end inside the pair. */
function unbroken(cursor: Numbering['held']): string {
  return pairText(cursor).replace(' ', '\u00a0')
}
