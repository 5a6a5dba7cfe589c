import {z} from 'zod'
import {type FrameRow, outcome} from './rows.ts'

/**
 * What a list says that a frame came to: its outcome, but for what counts as handled and is no event. A gap and a snapshot
 * are told by what they did to the position.
 */
export const listedOutcome = z.enum([...outcome.options, 'replaced', 'unmoved', 'adopted', 'nothingNew'])
export type ListedOutcome = z.infer<typeof listedOutcome>

/** The one rule, for rows on a screen and for histories in memory; `LISTED_OUTCOME` of the store says the same in SQL. */
export function listedOutcomeOf({
  kind,
  outcome,
  stepCount = 0,
}: Pick<FrameRow, 'kind' | 'outcome' | 'stepCount'>): ListedOutcome {
  if (outcome !== 'handled') return outcome
  if (kind === 'gap') return stepCount > 0 ? 'replaced' : 'unmoved'
  if (kind === 'snapshot') return stepCount > 0 ? 'adopted' : 'nothingNew'
  return 'handled'
}
