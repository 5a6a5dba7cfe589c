import type {FrameRow} from '../../../shared/contract/rows.ts'
import {SEQUENCE} from '../../../shared/cursor/cursor-position.ts'
import type {Lane} from '../../../shared/timeline/lanes.ts'
import type {Place} from '../../../shared/timeline/place-labels.ts'
import {xOf} from '../../../shared/timeline/time-scale.ts'
import {shortNumbering} from '../../../shared/words/explain-numbering.ts'
import {beside, type ToneWish, wish} from './label-wish.ts'
import type {NumberingMark} from './mark.ts'
import type {Planned} from './plan-gaps.ts'
import {isInView, type Scene, yOn} from './scene.ts'

/**
 * Numberings that began anew: a band from where the first frame of the new one was received to where the user decided, on the row of
 * the sequences. Never binned; those of one column that were decided alike share a mark.
 */
export function planNumberings(scene: Scene): Planned {
  const lane = scene.lanes.find(({track}) => track.kind === 'coordinate' && track.key === SEQUENCE)
  if (lane === undefined) return {marks: [], wishes: []}
  const shared = new Map<string, NumberingMark>()
  for (const frame of scene.input.data.frames) {
    const mark = markOf(scene, lane, frame)
    if (mark === undefined) continue
    const place = `${mark.numbering.decision}/${Math.floor(mark.x0)}/${Math.floor(mark.x1)}`
    const there = shared.get(place)
    shared.set(place, there === undefined ? mark : {...there, frames: [...there.frames, ...mark.frames]})
  }
  const marks = [...shared.values()]
  // Where there is little room, what moved the cursor is said first.
  const byWeight = marks.toSorted(
    (a, b) => Number(b.numbering.decision === 'taken') - Number(a.numbering.decision === 'taken'),
  )
  return {marks, wishes: byWeight.map(wordsOf)}
}

function markOf(scene: Scene, {top, height}: Lane, frame: FrameRow): NumberingMark | undefined {
  const {time, input} = scene
  const {numbering, receivedAt: at, settledAt: until} = frame
  if (numbering === undefined || until === undefined || until < input.window.from || at > input.window.to)
    return undefined
  const {held, offered} = numbering
  return {
    ...{kind: 'numbering', key: SEQUENCE, numbering, at, until, frames: [frame.id]},
    ...{x0: Math.max(xOf(time, at), time.left), x1: Math.min(xOf(time, until), time.right)},
    ...{top: top + 2, bottom: top + height - 3},
    y: (yOn(scene, SEQUENCE, held.sequence) + yOn(scene, SEQUENCE, offered.sequence)) / 2,
    edges: {received: isInView(scene, at), decided: isInView(scene, until)},
  }
}

/** Beside its edge, else at the top or the bottom of the row. */
function wordsOf({numbering, x1, y, top, bottom}: NumberingMark): ToneWish {
  const corners = [bottom - 8, top + 8].flatMap((at): Place[] => [
    {x: x1 + 6, end: 'left', y: at},
    {x: x1 - 6, end: 'right', y: at},
  ])
  return wish('numbering', shortNumbering(numbering), 'gap', [...beside(x1 - 4, x1 + 4, y), ...corners])
}
