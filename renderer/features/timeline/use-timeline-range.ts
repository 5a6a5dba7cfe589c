import {useEffect, useRef, useState} from 'react'
import type {RequestError} from '../../../shared/contract/contract.ts'
import {newestHeard} from '../../state/history-slice.ts'
import {useActions, useApp, useAppContext} from '../../state/use-app.ts'
import {covers, questionFor} from './coverage.ts'
import {type AnsweredRange, gapSteps, hasMoreSteps, type LiveRows} from './timeline-data.ts'
import {type TimelineView, windowOf} from './timeline-view.ts'

export interface RangeState {
  readonly answered: AnsweredRange | undefined
  /** Why the last question came to nothing. What was answered before is still shown. */
  readonly problem: RequestError | undefined
}

interface Held extends RangeState {
  readonly source: string
  /** What the engine said of itself when it was asked: told anew after every reconnect and after lost batches. */
  readonly info: unknown
}

/** While the reader moves, no question is asked; a pause this long is one. */
const PAUSE_MS = 120
/** However fast rows come, and after a failure. */
const APART_MS = 1_000
const AFTER_FAILURE_MS = 5_000

/** Asks the store for what is on screen wherever live rows do not cover it. An answer to an older question is dropped. */
export function useTimelineRange(
  source: string,
  view: TimelineView,
  columns: number,
  live: LiveRows,
  clock: () => number,
): RangeState {
  const {store} = useAppContext()
  const {request} = useActions()
  const info = useApp((state) => state.info)
  const lost = useApp((state) => state.recentLost)
  const [state, setHeld] = useState<Held>({source, info, answered: undefined, problem: undefined})
  const held = state.source === source ? state : undefined
  const latest = useRef(0)
  const askedAt = useRef(0)

  const now = clock()
  const needed =
    held?.answered === undefined ||
    held.problem !== undefined ||
    held.info !== info ||
    !covers(held.answered, windowOf(view, now), columns, {now, lost, incomplete: isIncomplete(held.answered, live)})

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new answer, or a moved window, asks again whether one is needed
  useEffect(() => {
    if (!needed || source === '' || columns < 1) return
    const apart = held?.problem === undefined ? APART_MS : AFTER_FAILURE_MS
    const wait = Math.max(PAUSE_MS, held === undefined ? 0 : askedAt.current + apart - Date.now())
    const ask = async () => {
      latest.current += 1
      const mine = latest.current
      const at = clock()
      const newestFrame = newestHeard(store.getState())
      askedAt.current = Date.now()
      const question = questionFor(windowOf(view, at), columns)
      const answer = await request('timeline.range', {source, ...question})
      if (mine !== latest.current) return
      setHeld((before) => ({
        source,
        info,
        answered: answer.ok
          ? {range: answer.value, askedAt: at, columns: question.columns, newestFrame}
          : before.source === source
            ? before.answered
            : undefined,
        problem: answer.ok ? undefined : answer.error,
      }))
    }
    const timer = setTimeout(() => void ask(), wait)
    return () => clearTimeout(timer)
  }, [needed, source, columns, view, state, info])

  useEffect(
    () => () => {
      latest.current += 1
    },
    [],
  )
  return {answered: held?.answered, problem: held?.problem}
}

/** A row that came live made a move of more steps than it carries, and no gap tells the others. */
function isIncomplete(answered: AnsweredRange, {frames, gaps}: LiveRows): boolean {
  return frames.some(
    (frame) =>
      frame.id > answered.newestFrame &&
      hasMoreSteps(frame) &&
      !gaps.some((gap) => gap.frame === frame.id && gapSteps(gap).length >= (frame.stepCount ?? 0)),
  )
}
