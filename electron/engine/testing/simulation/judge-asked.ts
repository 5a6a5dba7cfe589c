import type {Attempt} from '../../../../shared/history/fact.ts'
import type {SourceChange} from './durable-rules.ts'
import {type Called, judgeEnd, mayCome, type Turns} from './turns.ts'
import type {Rule} from './verdict.ts'

export interface CursorDisk {
  readonly broken: (rule: Rule, detail: string) => void
  readonly turns: Turns
  readonly kept: ReadonlyMap<number, Called>
}

/**
 * Of a stream with generations: what is about to be written as handled was handled. Its handlers resolved in this attempt, or
 * none chose it.
 *
 * @param events - what each frame is called, told when it is asked for
 */
export function judgeAsked(
  {broken, turns, kept}: CursorDisk,
  changes: readonly SourceChange[],
  events: Map<number, string>,
): void {
  const lists = turns.lists.since(turns.now())
  const ended = new Map<number, Attempt>()
  for (const change of changes) if (change.kind === 'attemptEnded') ended.set(change.attempt.frame, change.attempt)
  for (const change of changes) {
    if (change.kind === 'frameJournaled') events.set(change.frame.id, change.frame.event)
    // Where there are handlers, what they may choose is handled behind the journal.
    const isHandled = 'outcome' in change && (change.outcome === 'handled' || change.outcome === 'discarded')
    if (
      change.kind === 'frameJournaled' &&
      isHandled &&
      change.frame.kind !== 'snapshot' &&
      !lists.some((list) => list.length === 0)
    )
      broken('a frame was handled before its callback resolved', `${change.frame.id} with the journal`)
    if (change.kind !== 'frameSettled' || !isHandled) continue
    const one = kept.get(change.frame)
    if (one !== undefined && !ended.has(one.id) && !mayCome(turns, one, lists).alone)
      broken('a frame was handled before its callback resolved', `${change.frame} without an attempt`)
  }
  for (const [frame, attempt] of ended) {
    const one = kept.get(frame)
    if (one !== undefined) judgeEnd(turns, one, attempt)
  }
}
