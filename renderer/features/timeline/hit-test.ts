import type {Mark, OfFrames} from './mark.ts'

/** A mark that a pointer can mean. */
export type HitMark = Extract<
  Mark,
  {
    kind:
      | 'frame'
      | 'echo'
      | 'replaced'
      | 'removed'
      | 'span'
      | 'gapBand'
      | 'strip'
      | 'unwatched'
      | 'pruned'
      | 'generation'
      | 'numbering'
      | 'boundary'
      | 'hole'
      | 'activity'
  }
>

/** How far beside a point it is still meant. CSS px. */
const REACH_PX = 9
const SPAN_REACH_PX = 7
const STRIP_REACH_PX = 9

/**
 * What lies under a pointer: the nearest point or hole, else a run of a callback, something the agent did, a boundary or a
 * stretch of the strip, else the gap whose band it is in, else a generation's, else time nobody watched, or of which no
 * frames are left. Of equals the one painted last, which is on top.
 */
export function hitTest(marks: readonly Mark[], x: number, y: number): HitMark | undefined {
  return nearestPoint(marks, x, y) ?? stretchAt(marks, x, y) ?? areaAt(marks, x, y)
}

/** True for a mark that stands for frames: those can be selected. */
export function standsForFrames(mark: Mark): mark is Extract<Mark, OfFrames> {
  return 'frames' in mark
}

function nearestPoint(marks: readonly Mark[], x: number, y: number): HitMark | undefined {
  let [nearest, distance]: [HitMark | undefined, number] = [undefined, REACH_PX]
  for (const mark of marks) {
    if (mark.kind === 'hole' && distanceToHole(mark, x, y) <= distance) {
      // Of a hole and the frame behind it, which stands at its end, the hole is meant only where it is nearer.
      ;[nearest, distance] = [mark, distanceToHole(mark, x, y)]
      continue
    }
    if (mark.kind !== 'frame' && mark.kind !== 'replaced' && mark.kind !== 'removed' && mark.kind !== 'echo') continue
    // Echoes give way to the frames they repeat.
    const away = Math.hypot(mark.x - x, mark.y - y) + (mark.kind === 'echo' ? 3 : 0)
    if (away <= distance) [nearest, distance] = [mark, away]
  }
  return nearest
}

function distanceToHole({x, y0, y1}: Extract<Mark, {kind: 'hole'}>, toX: number, toY: number): number {
  return Math.hypot(toX - x, Math.max(y0 - toY, toY - y1, 0))
}

function stretchAt(marks: readonly Mark[], x: number, y: number): HitMark | undefined {
  return marks.findLast((mark) => {
    if (mark.kind === 'boundary') return Math.abs(mark.x - x) <= 3 && y >= mark.top && y <= mark.bottom
    if (mark.kind === 'span' || mark.kind === 'activity')
      return isWithin(mark, x, 3) && Math.abs(mark.y - y) <= SPAN_REACH_PX
    return mark.kind === 'strip' && isWithin(mark, x, 1) && Math.abs(mark.y - y) <= STRIP_REACH_PX
  }) as HitMark | undefined // only these kinds pass
}

function areaAt(marks: readonly Mark[], x: number, y: number): HitMark | undefined {
  const band = marks.findLast(
    (mark) =>
      (mark.kind === 'gapBand' || mark.kind === 'numbering') &&
      isWithin(mark, x, 4) &&
      y >= mark.top &&
      y <= mark.bottom,
  )
  const generation = marks.findLast(
    (mark) => mark.kind === 'generation' && isWithin(mark, x, 0) && y >= mark.top && y <= mark.bottom,
  )
  const isGround = ({kind}: Mark): boolean => kind === 'unwatched' || kind === 'pruned'
  const area = band ?? generation ?? marks.findLast((mark) => isGround(mark) && 'x0' in mark && isWithin(mark, x, 0))
  return area as HitMark | undefined // only a band or a stretch of the ground passes
}

function isWithin({x0, x1}: {readonly x0: number; readonly x1: number}, x: number, reach: number): boolean {
  return x >= x0 - reach && x <= x1 + reach
}
