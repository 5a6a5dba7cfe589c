import type {Clock} from '../clock.ts'

export interface Notification {
  readonly title: string
  readonly body: string
  readonly source: string
}

/**
 * Shows a notification to the user. Resolves to where it was shown, in words; rejects where nobody could be shown it, so that
 * it counts as a failure like any other: a notification that nobody sees has not happened.
 */
export type Notify = (notification: Notification, until: AbortSignal) => Promise<string>

/** A desktop without anybody who shows notifications may simply say nothing. In ms. */
const DESKTOP_PATIENCE_MS = 3_000

/** The desktop's own where there is one that says so, else every page that is open. */
export function notifySomewhere(desktop: Notify | undefined, pages: Notify, clock: Pick<Clock, 'wait'>): Notify {
  return async (notification, until) => {
    const shown = desktop === undefined ? undefined : await shownInTime(desktop, clock, notification, until)
    return shown ?? pages(notification, until)
  }
}

/** `undefined`: the pages may do it. */
async function shownInTime(
  desktop: Notify,
  clock: Pick<Clock, 'wait'>,
  notification: Notification,
  until: AbortSignal,
): Promise<string | undefined> {
  const [over, late] = [new AbortController(), new AbortController()]
  void clock.wait(DESKTOP_PATIENCE_MS, over.signal).then(() => late.abort())
  try {
    return await desktop(notification, AbortSignal.any([until, late.signal]))
  } catch (cause) {
    if (until.aborted) throw cause
    return undefined
  } finally {
    over.abort()
  }
}
