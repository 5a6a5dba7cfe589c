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

/** The desktop's own where there is one, else every page that is open. */
export function notifySomewhere(desktop: Notify | undefined, pages: Notify): Notify {
  return async (notification, until) => {
    const shown = await desktop?.(notification, until).catch((cause: unknown) => {
      if (until.aborted) throw cause
      return undefined // the pages may do it
    })
    return shown ?? pages(notification, until)
  }
}
