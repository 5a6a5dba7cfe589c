import type {Explanation} from './explanation.ts'

/** Why the page was loaded again. The reasons are Electron's. */
export function explainPageEnd(reason: string): Explanation {
  return {
    title: `This screen was loaded again: its process ${REASONS.get(reason) ?? 'ended by itself'}`,
    detail: 'The engine ran on meanwhile. What was typed and not sent is gone; positions and history are as they were.',
    whatToDo: 'Nothing is to be done, unless it comes again.',
  }
}

/** A page in the browser whose address is of an earlier start, or has no token. */
export const OLD_ADDRESS: Explanation = {
  title: 'This address is not the one of this start',
  detail:
    'Each start of Tidemark prints an address with a new token, and its engine tells nothing to a page with another one.',
  whatToDo: 'Open the address that it printed when it started, here or in another tab.',
}

/** It ended too often to be loaded again without a word. */
export function explainPageEnds(reason: string): Explanation {
  return {
    title: `The screen ends again and again: its process ${REASONS.get(reason) ?? 'ended by itself'}`,
    detail: 'The engine goes on: it reads, handles and keeps positions as before. Only nothing of it can be seen.',
    whatToDo: 'Close this message to load the screen once more, or quit Tidemark and start it again.',
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['crashed', 'crashed'],
  ['abnormal-exit', 'ended with an error'],
  ['killed', 'was ended from outside'],
  ['oom', 'ran out of memory'],
  ['memory-eviction', 'was ended because memory was short'],
  ['launch-failed', 'could not be started'],
  ['integrity-failure', 'did not pass a check of its code'],
])
