import {type Cursor, parseCursor} from '../../../shared/cursor/cursor.ts'

/** A cursor as typed by hand. */
export interface HistoryDraft {
  readonly generation: string
  readonly sequence: string
}

export const EMPTY_HISTORY: HistoryDraft = {generation: '', sequence: ''}

/** A whole number is one; any other generation is a name. `undefined`: this is no cursor yet. */
export function readHistoryDraft({generation, sequence}: HistoryDraft): Cursor | undefined {
  const named = generation.trim()
  return parseCursor({generation: wholeNumber(named) ?? named, sequence: wholeNumber(sequence.trim())})
}

/** What was typed and cannot be read; absent while something is still empty. */
export function historyProblem(draft: HistoryDraft): string | undefined {
  if (draft.generation.trim() === '' || draft.sequence.trim() === '' || readHistoryDraft(draft) !== undefined)
    return undefined
  return 'A sequence is a whole number from 0 on, and so is a generation that is no name.'
}

function wholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}
