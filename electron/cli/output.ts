import {cutName} from '../../shared/frames/summary.ts'

/** Where a command writes. Results go to `line`, everything else to `note`, so that a pipe holds results only. */
export interface Output {
  /** Resolves when there is room for the next line; rejects with `ReaderGone` where nobody reads any more. */
  readonly line: (text: string) => void | Promise<void>
  readonly note: (text: string) => void
}

/** Columns as wide as their widest cell, two spaces apart; numbers are given as text. A cell of megabytes would widen all of them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [head, ...rows.map((row) => row.map(cutName))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Epoch ms as ISO 8601 with milliseconds, in UTC: a log line of another machine can be compared with it. */
export function isoTime(at: number): string {
  return new Date(at).toISOString()
}

/** What came over a wire may hold escape sequences, which a terminal would obey, and signs that turn the order of what stands behind them. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
