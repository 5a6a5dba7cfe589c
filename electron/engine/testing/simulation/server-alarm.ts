import {type Schedule, type Scheduled, WORLD} from './schedule.ts'

/** The machines round in their own way; none is asked again without time passing. In ms. */
const LEAST_WAIT_MS = 0.5

/** Wakes a server's machine when it has something to do next. Returns what looks anew at when that is. */
export function createServerAlarm(schedule: Schedule, nextDue: () => number, tick: () => void): () => void {
  let alarm: Scheduled | undefined
  return () => {
    alarm?.cancel()
    const due = nextDue()
    if (due === Number.POSITIVE_INFINITY) return
    alarm = schedule.after(Math.max(due - schedule.now(), LEAST_WAIT_MS), 'server', WORLD, tick)
  }
}
