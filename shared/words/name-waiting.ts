/*
 * Three things stand on one screen that might all be called “waiting”. Each has one word, and no other has it.
 */

/** A source without a stream, until it is time to try again or until there is something to attach to. */
export const STANDING_BY = 'standing by'

/** Frames on their way to being handled. */
export const QUEUE = {word: 'queue', meaning: 'Frames received and not yet acknowledged.'}

/** Rows that are kept from a list that stands still under its reader. */
export const ROWS_WAITING = {
  word: 'waiting',
  meaning: 'Rows that came while the list stands still. The engine goes on with them all the same.',
}
