import {ownText} from '../base/own-text.ts'

const SUMMARY_LENGTH = 200
const LOOKED_AT = 2_000

/**
 * What is not a single space, and the signs that turn the order of what stands behind them. Written so that it does not match
 * a single space: ordinary text is then gone through once and stays as it is.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal or a list must not be told
const NOT_PLAIN = /[\s\u0000-\u001f\u007f-\u009f]{2,}|[^\S ]|[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** A name for lists and tables: as it is where it has the length of one. The bytes hold the whole. */
export function cutName(name: string): string {
  return name.length <= SUMMARY_LENGTH ? name : clip(name)
}

/** One line, at most 200 UTF-16 code units. A body of megabytes is not gone through for one line of a list. */
export function clip(line: string): string {
  const looked = line.slice(0, LOOKED_AT)
  const flat = looked.replaceAll(NOT_PLAIN, ' ')
  if (flat.length <= SUMMARY_LENGTH && looked.length === line.length) return flat
  const cut = flat.slice(0, SUMMARY_LENGTH - 1)
  return ownText(`${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`)
}
