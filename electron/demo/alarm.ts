import type {DemoClock} from './demo-clock.ts'

/** A timer of Node takes no more ms; beyond it looks again. */
const LONGEST_WAIT = 2 ** 31 - 1

/** Calls back once the time has come. Setting it anew forgets the earlier setting. */
export interface Alarm {
  /** @param at - on the clock's monotonic time; infinity for never */
  readonly set: (at: number) => void
  readonly stop: () => void
}

export function createAlarm(clock: DemoClock, onDue: () => void): Alarm {
  let pending: {readonly at: number; readonly cancel: AbortController} | undefined

  const stop = (): void => {
    pending?.cancel.abort()
    pending = undefined
  }

  return {
    stop,
    set: (at) => {
      if (pending?.at === at) return
      stop()
      if (at === Number.POSITIVE_INFINITY) return
      const cancel = new AbortController()
      pending = {at, cancel}
      const ms = Math.min(Math.max(0, at - clock.monotonic()), LONGEST_WAIT)
      void clock.wait(ms, cancel.signal).then(() => {
        if (cancel.signal.aborted) return
        pending = undefined
        onDue()
      })
    },
  }
}
