/** A rectangle in CSS px. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A text that wants a place. */
export interface LabelWish {
  readonly text: string
  /** What it says where the whole text would leave another label without a place, or find none itself. */
  readonly shorter?: string
  /** A smaller number goes first. */
  readonly priority: number
  /** It rather covers a mark than stays away. */
  readonly insists: boolean
  /** Where it may stand, the best first: the corner that is nearest to its mark. */
  readonly places: readonly Place[]
  /** CSS px it does not go beyond, where it would seem to belong to something else there. */
  readonly within?: {readonly left: number; readonly right: number}
}

export interface Place {
  /** CSS px of the text's left end, or of its right end. */
  readonly x: number
  readonly end: 'left' | 'right'
  /** CSS px of the text's middle. */
  readonly y: number
}

export interface PlacedLabel<Wish> {
  readonly wish: Wish
  readonly text: string
  readonly box: Box
}

/** Metrics of the one monospace font that labels are set in, CSS px. */
export interface TypeSize {
  readonly charPx: number
  readonly linePx: number
}

/** More labels than this say nothing to anyone; it also bounds the work. */
const MOST_LABELS = 80
const MOST_TRIED = 600
const APART_PX = 3

/**
 * Gives labels their places so that none overlaps another or leaves the bounds. The most important choose first, by their
 * shorter text where they have one; then those that have room where they stand say all. What finds no place is left out,
 * since its mark and the table still say it. An obstacle is covered only by a label that insists, and only where there is
 * no other place.
 */
export function placeLabels<Wish extends LabelWish>(
  wishes: readonly Wish[],
  bounds: Box,
  size: TypeSize,
  obstacles: readonly Box[] = [],
): ReadonlyArray<PlacedLabel<Wish>> {
  const inOrder = wishes
    .map((wish, order) => ({wish, order}))
    .sort((a, b) => a.wish.priority - b.wish.priority || a.order - b.order)
    .slice(0, MOST_TRIED)
  const isFree = (box: Box, others: readonly PlacedLabel<Wish>[]) =>
    inside(box, bounds) && !others.some((other) => touches(box, other.box))
  const isClear = (box: Box) => !obstacles.some((obstacle) => overlap(box, obstacle))

  const placed: PlacedLabel<Wish>[] = []
  for (const {wish} of inOrder) {
    if (placed.length === MOST_LABELS) break
    const free = candidates(wish, wish.shorter ?? wish.text, size).filter(({box}) => isFree(box, placed))
    const chosen = free.find(({box}) => isClear(box)) ?? (wish.insists ? free[0] : undefined)
    if (chosen !== undefined) placed.push(chosen)
  }
  for (const [i, label] of placed.entries()) {
    if (label.wish.shorter === undefined) continue
    const others = placed.filter((other) => other !== label)
    const whole = candidates(label.wish, label.wish.text, size).find(
      ({box}) => growsFrom(label.box, box) && isFree(box, others) && isClear(box),
    )
    if (whole !== undefined) placed[i] = whole
  }
  return placed
}

/** At the same mark, the same way: on its other side the words would seem to belong to something else. */
function growsFrom(shorter: Box, whole: Box): boolean {
  return whole.top === shorter.top && (whole.left === shorter.left || whole.right === shorter.right)
}

function candidates<Wish extends LabelWish>(wish: Wish, text: string, size: TypeSize): PlacedLabel<Wish>[] {
  const {left, right} = wish.within ?? {left: Number.NEGATIVE_INFINITY, right: Number.POSITIVE_INFINITY}
  return wish.places
    .map((place) => ({wish, text, box: boxOf(text, place, size)}))
    .filter(({box}) => box.left >= left && box.right <= right)
}

export function boxOf(text: string, place: Place, size: TypeSize): Box {
  const width = text.length * size.charPx
  const left = place.end === 'left' ? place.x : place.x - width
  return {left, right: left + width, top: place.y - size.linePx / 2, bottom: place.y + size.linePx / 2}
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

function touches(a: Box, b: Box): boolean {
  return overlap({...a, left: a.left - APART_PX, right: a.right + APART_PX}, b)
}

function inside(box: Box, bounds: Box): boolean {
  return box.left >= bounds.left && box.right <= bounds.right && box.top >= bounds.top && box.bottom <= bounds.bottom
}
