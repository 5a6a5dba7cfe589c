import type {GapRow} from '../../../shared/contract/rows.ts'

const SEEN_COORDINATES = 4

/** What was acknowledged when the gap came. A row that was cut tells how many coordinates there are, not how many of them before. */
export function seenText({before, coordinatesTotal}: GapRow): string {
  const cut = coordinatesTotal !== undefined
  if (before.length === 0) return cut ? 'not in this excerpt' : 'nothing acknowledged before'
  const first = before
    .slice(0, SEEN_COORDINATES)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ')
  const more = before.length - SEEN_COORDINATES
  if (cut) return `${first} and others acknowledged`
  return more > 0 ? `${first} and ${more} more acknowledged` : `${first} acknowledged`
}

/** Of the coordinates held before or after a gap: how many a table of so many lines leaves out, the row's own cut included. */
export function coordinatesNotShown({before, after, coordinatesTotal}: GapRow, shown: number): number {
  const total = coordinatesTotal ?? new Set([...before, ...after].map(([key]) => key)).size
  return Math.max(0, total - shown)
}
