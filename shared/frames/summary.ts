import {ownText} from '../base/own-text.ts'

const SUMMARY_LENGTH = 200
const LOOKED_AT = 2_000

/** What is not a single space. Written so that it does not match one: ordinary text is then gone through once and stays as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal or a list must not be told
const SPACE_OR_CONTROL = /[\s\u0000-\u001f\u007f-\u009f]{2,}|[^\S ]|[\u0000-\u001f\u007f-\u009f]/g

/** A name for lists and tables: as it is where it has the length of one. The bytes hold the whole. */
export function cutName(name: string): string {
  return name.length <= SUMMARY_LENGTH ? name : clip(name)
}

/** One line, at most 200 UTF-16 code units. A body of megabytes is not gone through for one line of a list. */
export function clip(line: string): string {
  const looked = line.slice(0, LOOKED_AT)
  const flat = looked.replaceAll(SPACE_OR_CONTROL, ' ')
  if (flat.length <= SUMMARY_LENGTH && looked.length === line.length) return flat
  const cut = flat.slice(0, SUMMARY_LENGTH - 1)
  return ownText(`${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`)
}
