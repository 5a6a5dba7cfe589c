import type {FrameFilter} from '../../shared/contract/contract.ts'
import {listedOutcomeOf} from '../../shared/contract/listed-outcome.ts'
import type {FrameRow} from '../../shared/contract/rows.ts'

/** The store's own rule for a filter, for rows that arrive live: both must show the same list. */
export function matchesFilter(row: FrameRow, filter: FrameFilter): boolean {
  if (filter.source !== undefined && row.source !== filter.source) return false
  if (filter.outcomes !== undefined && !filter.outcomes.includes(listedOutcomeOf(row))) return false
  if (filter.lane !== undefined && row.lane !== filter.lane) return false
  if (filter.from !== undefined && row.receivedAt < filter.from) return false
  if (filter.to !== undefined && row.receivedAt >= filter.to) return false
  return (filter.texts ?? []).every((text) => containsText(row, text.toLowerCase()))
}

function containsText(row: FrameRow, lowered: string): boolean {
  return row.summary.toLowerCase().includes(lowered) || row.event.toLowerCase().includes(lowered)
}
