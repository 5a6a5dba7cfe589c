import {readFileSync} from 'node:fs'
import {z} from 'zod'
import {parseJson} from '../../shared/base/json.ts'
import {writeWholeFile} from '../engine/store/write-whole-file.ts'

/** In device-independent px, from the upper left corner of the main display. */
const rectangle = z.object({x: z.number(), y: z.number(), width: z.number(), height: z.number()})
type Rectangle = z.infer<typeof rectangle>

/** Where the window was when it was closed last. */
const windowPlace = z.object({version: z.literal(1), bounds: rectangle, maximized: z.boolean()})
export type WindowPlace = Omit<z.infer<typeof windowPlace>, 'version'>

/** The smallest window in which the screens can be read, and the size of one that was never placed. */
export const SMALLEST = {width: 800, height: 600}
const USUAL = {width: 1440, height: 900}

/** So much of its upper edge must be in view that it can be taken by it. */
const IN_VIEW = {width: 120, height: 40}

/** `undefined` where none was kept or what was kept cannot be read: the window then opens where it usually does. */
export function readPlace(path: string): WindowPlace | undefined {
  try {
    return windowPlace.safeParse(parseJson(readFileSync(path, 'utf8'))).data
  } catch {
    return undefined // there is no such file
  }
}

/** Nothing but the place is lost where the disk does not take it, so nobody is bothered with that. */
export function savePlace(path: string, {bounds, maximized}: WindowPlace): void {
  try {
    writeWholeFile(path, `${JSON.stringify({version: 1, bounds, maximized})}\n`)
  } catch {}
}

/**
 * The bounds of a window to open: where it was, if somebody could see and take it there; displays come and go. Else the usual
 * size, in the middle of the main display.
 *
 * @param displays - what of each display is not covered by a bar of the system
 */
export function placeWindow(
  place: WindowPlace | undefined,
  displays: readonly Rectangle[],
): Rectangle | Omit<Rectangle, 'x' | 'y'> {
  if (place === undefined || !displays.some((display) => isInView(place.bounds, display))) return USUAL
  const {x, y, width, height} = place.bounds
  return {x, y, width: Math.max(width, SMALLEST.width), height: Math.max(height, SMALLEST.height)}
}

function isInView(window: Rectangle, display: Rectangle): boolean {
  const left = Math.max(window.x, display.x)
  const right = Math.min(window.x + window.width, display.x + display.width)
  const isBelowTop = window.y >= display.y
  return isBelowTop && right - left >= IN_VIEW.width && window.y + IN_VIEW.height <= display.y + display.height
}
