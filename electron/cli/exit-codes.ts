/** What a script can tell from how a command ended. */
export const EXIT = {
  ok: 0,
  /** It could not be done: a file that cannot be read, a profile that cannot be opened. */
  failed: 1,
  /** Wrong usage. */
  usage: 2,
  /** `--strict`: read to the end, and something was malformed or rejected. */
  strict: 3,
} as const
