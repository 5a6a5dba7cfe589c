import {spanMs, type TimeScale, xOf} from './time-scale.ts'

/** One line of the ruler. `at` is in epoch ms, `x` in CSS px. */
export interface Tick {
  readonly at: number
  readonly x: number
  readonly label: string
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Steps people count in, in ms. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28, 56, 112, 224].map((n) => n * DAY),
]

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The finest step whose lines stand at least `apartPx` from each other. */
export function chooseStep(scale: TimeScale, apartPx: number): number {
  const msPerPx = spanMs(scale) / (scale.right - scale.left)
  return STEPS.find((step) => step / msPerPx >= apartPx) ?? 224 * DAY
}

/**
 * The lines of the ruler inside the window, at round local times.
 *
 * @param offsetMs - local time minus UTC, one for the whole window: a window over a change of the clocks is an hour off on one side
 */
export function ticksOf(scale: TimeScale, offsetMs: number, apartPx: number): readonly Tick[] {
  const step = chooseStep(scale, apartPx)
  const first = Math.ceil((scale.from + offsetMs) / step) * step
  const ticks: Tick[] = []
  for (let local = first; local <= scale.to + offsetMs; local += step) {
    const at = local - offsetMs
    ticks.push({at, x: xOf(scale, at), label: tickLabel(local, step)})
  }
  return ticks
}

function tickLabel(local: number, step: number): string {
  if (step >= DAY || modulo(local, DAY) === 0) return dayOf(local)
  if (step >= MINUTE) return timeOfDay(local, 'minutes')
  return timeOfDay(local, step >= SECOND ? 'seconds' : 'ms')
}

function timeOfDay(local: number, digits: 'minutes' | 'seconds' | 'ms'): string {
  const inDay = modulo(local, DAY)
  const minutes = `${two(Math.floor(inDay / HOUR))}:${two(Math.floor(inDay / MINUTE) % 60)}`
  if (digits === 'minutes') return minutes
  const seconds = `${minutes}:${two(Math.floor(inDay / SECOND) % 60)}`
  return digits === 'seconds' ? seconds : `${seconds}.${String(inDay % SECOND).padStart(3, '0')}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

/**
 * The day of the Gregorian calendar, by counting: years run from March here, so that a leap day is a year's last day and
 * the lengths of months repeat every five (31 30 31 30 31).
 */
function dayOf(local: number): string {
  const sinceMarch0000 = Math.floor(local / DAY) + 719_468 // days from 0000-03-01 to 1970-01-01
  const inEra = modulo(sinceMarch0000, 146_097)
  const year = Math.floor(
    (inEra - Math.floor(inEra / 1_460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) / 365,
  )
  const inYear = inEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const month = Math.floor((5 * inYear + 2) / 153)
  const day = inYear - Math.floor((153 * month + 2) / 5) + 1
  return `${day} ${MONTHS[(month + 2) % 12] ?? ''}`
}
