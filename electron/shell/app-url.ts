export const SCHEME = 'app'
export const HOST = 'tidemark'
export const APP_URL = `${SCHEME}://${HOST}/`

/** What is asked of Electron's `WebFrameMain`. */
interface Frame {
  readonly url: string
  readonly parent: Frame | null
}

/** Only our own page, as the main frame of its window, may speak to the engine and is told of it. */
export function isAppFrame(frame: Frame | null): boolean {
  return frame !== null && frame.parent === null && frame.url.startsWith(APP_URL)
}
