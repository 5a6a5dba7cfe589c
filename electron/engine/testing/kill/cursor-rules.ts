import {GENERATION, SEQUENCE} from '../../../../shared/cursor/cursor-position.ts'
import type {KeptFrame, KeptProfile} from './check-profile.ts'
import {textOfPosition} from './point.ts'
import {broken, isDone} from './rules.ts'

/* What must be true of a stream of cursors {generation, sequence}. Written apart from what decides about cursors in the product. */

/** As the frame's own bytes and row say. A generation that is a number is one without quotes. */
export interface Numbered {
  readonly generation: string | number
  readonly sequence: number
}

/** Everything that has a number and moved the cursor, or was decided to be where it is, in the order of the journal. */
export function doneInOrder({frames}: KeptProfile): readonly (Numbered & Pick<KeptFrame, 'kind' | 'name'>)[] {
  return frames.filter(isDone).flatMap((frame) => {
    const {kind, name, sequence} = frame
    const generation = generationOf(frame)
    return generation === undefined || sequence === undefined ? [] : [{generation, sequence, kind, name}]
  })
}

function generationOf({lane, bytes}: KeptFrame): Numbered['generation'] | undefined {
  if (lane?.startsWith('g:') === true) return lane.slice(2)
  const [, generation] = /"generation":(\d+)/.exec(Buffer.from(bytes).toString('utf8')) ?? []
  return lane === undefined || generation === undefined ? undefined : Number(generation)
}

/** Each event puts the cursor where it is itself; a snapshot does where it is ahead, or of another generation. */
export function misled(kept: KeptProfile): readonly string[] {
  let cursor: Numbered | undefined
  for (const {generation, sequence, kind} of doneInOrder(kept)) {
    const behind = kind === 'snapshot' && cursor?.generation === generation && sequence <= cursor.sequence
    if (!behind) cursor = {generation, sequence}
  }
  const [held, led] = [textOfPosition(kept.source?.position ?? []), textOf(cursor)]
  return held === led ? [] : [`what is handled leads to ${led}, the cursor is ${held}`]
}

function textOf(cursor: Numbered | undefined): string {
  if (cursor === undefined) return textOfPosition([])
  const {generation, sequence} = cursor
  if (typeof generation === 'string') return textOfPosition([[`g:${generation}`, sequence]])
  return textOfPosition([
    [GENERATION, generation],
    [SEQUENCE, sequence],
  ])
}

/** Of each opaque generation, every number from the first one on was handled, or is known as one that was never seen. */
export function steppedOver(kept: KeptProfile): readonly string[] {
  const done = Map.groupBy(doneInOrder(kept), ({generation}) => generation)
  return [...done].flatMap(([generation, frames]) => {
    const unseen = kept.holes.filter(({lane}) => lane === `g:${generation}`)
    const known = new Set([
      ...frames.map(({sequence}) => sequence),
      ...unseen.flatMap(({by, upTo, missing}) =>
        Array.from({length: missing}, (_, n) => upTo - n - (by === 'event' ? 1 : 0)),
      ),
    ])
    const [first, last] = [Math.min(...known), Math.max(...known)]
    const passed = Array.from({length: last - first + 1}, (_, n) => first + n).filter((n) => !known.has(n))
    return broken(`numbers of ${generation} that nothing is known of`, passed)
  })
}

/** A number is one event, so its callback resolves once. */
export function handledTwice(kept: KeptProfile): readonly string[] {
  const names = doneInOrder(kept).flatMap(({kind, name}) => (kind === 'snapshot' ? [] : [name]))
  return broken(
    'handled twice',
    names.filter((name, n) => names.indexOf(name) !== n),
  )
}
