import type {GapRow} from '../contract/rows.ts'
import type {StateWords} from './name-state.ts'

/** The heading of a gap: what it did to the cursor, never more than is known. */
export function titleOfGap(gap: GapRow): string {
  switch (gap.outcome) {
    case 'pending':
      return 'Gap, its callback is pending'
    case 'rejected':
      return 'Gap, its callback was rejected'
    case 'malformed':
      return 'Malformed gap, nothing moved'
    case 'skipped':
      return 'Gap, skipped by the user'
    case 'unmoved':
      return 'Gap, nothing moved'
    case 'replaced':
    case 'ownReplaced':
      return titleOfReplacement(gap)
  }
}

function titleOfReplacement({cursorReset, wentBack, removed}: GapRow): string {
  if (cursorReset === true) return 'Gap, cursor moved back'
  if (wentBack.length > 0)
    return wentBack.length === 1 ? 'Gap, one coordinate moved back' : 'Gap, coordinates moved back'
  if (removed.length > 0) return removed.length === 1 ? 'Gap, one coordinate removed' : 'Gap, coordinates removed'
  return 'Gap, cursor moved on'
}

/** What the gap means, in a few sentences. */
export function explainGap(gap: GapRow): string {
  switch (gap.outcome) {
    case 'pending':
      return 'The callback of the gap has not resolved, so the old position still stands. The replacement below is applied only after it did.'
    case 'rejected':
      return 'The callback of the gap failed, so the old position still stands. The gap comes again; nothing is applied before its callback resolved.'
    case 'malformed':
      return 'A field of this gap is invalid, so no callback ran and the old position stands. Something was lost, but where the stream goes on was not said.'
    case 'skipped':
      return gap.appliedAt === undefined
        ? 'The user stepped over this gap. Nothing was applied, so the old position still stands.'
        : 'The user stepped over the callback of this gap. The replacement was applied on their word.'
    case 'unmoved':
      return 'The server declared a loss and named no position to go on from, so nothing moved. What is missing lies before this point.'
    case 'replaced':
    case 'ownReplaced':
      return explainReplacement(gap)
  }
}

function explainReplacement({outcome, wentBack, removed}: GapRow): string {
  const whole =
    outcome === 'replaced'
      ? 'A gap replaces the whole position'
      : 'This gap replaces s alone, as older servers do; rooms stay'
  if (wentBack.length === 0 && removed.length === 0)
    return `${whole}. Here no coordinate went back and none was removed.`
  const hidden = 'An ordinary merge takes the larger value, so it would have kept what the server took back'
  return `${whole}. ${hidden}. Ordinary progress goes on from the new baseline.`
}

/** Which rooms lost something, as the server said it. */
export function roomsOfGap({said}: GapRow): string {
  if (said.allRooms === true) return 'all rooms'
  if (said.rooms === undefined) return 'not said; it may be any room'
  return said.rooms.length === 0 ? 'none named' : said.rooms.join(', ')
}

/** What is known of how the loss was made good: at most what the user says of it. */
export function nameRepair(account: GapRow['account']): StateWords {
  if (account === undefined)
    return {
      word: 'not yet accounted for',
      meaning: 'The server said that something was lost. Whether it was made good is not known to Tidemark.',
    }
  return {word: 'the user’s word', meaning: `The user said how it was made good: “${account.note}”`}
}

/** What would account for a gap, and why the stream itself does not. */
export const EXPLAIN_REPAIR =
  'A gap is accounted for once it is known how the loss was made good: the lost frames came again, a snapshot took their place, or you say so. A bridge does neither of the first two: what a gap covers it holds no more. So look into the rooms that lost something, whose own history may still have it, and then say what you found.'
