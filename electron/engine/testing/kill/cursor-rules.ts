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

/**
 * Only the user takes a numbered cursor back, and each word of the user's is there as often as it was said: as the cause of a move, in
 * the ledger, and, where a numbering was taken, as one more to which generations belong.
 */
export function undecided({moves, frames, decisions, numbering}: KeptProfile): readonly string[] {
  const back = new Set(moves.filter(goesBack))
  const taken = moves.filter(({cause}) => cause === 'numberingTaken')
  const kept = moves.filter(({cause}) => cause === 'numberingKept')
  const stale = new Set(frames.flatMap(({id, outcome}) => (outcome === 'stale' ? [id] : [])))
  const said = [...taken, ...kept].map(({frame, cause}) => `${frame} ${cause === 'numberingTaken' ? 'taken' : 'kept'}`)
  const told = decisions.map(({frame, decision}) => `${frame} ${decision}`)
  return [
    ...broken(
      'went back without the user',
      [...back].filter((move) => !taken.includes(move)),
    ),
    ...broken(
      'taken, and did not go back',
      taken.filter((move) => !back.has(move)),
    ),
    ...broken(
      'kept, and moved or not stale',
      kept.filter(({frame, steps}) => steps.length > 0 || frame === undefined || !stale.has(frame)),
    ),
    ...broken(
      'decided, and not once in the ledger',
      said.filter((one) => told.filter((other) => other === one).length !== 1),
    ),
    ...broken(
      'in the ledger, and never decided',
      told.filter((one) => !said.includes(one)),
    ),
    ...(numbering === taken.length ? [] : [`${taken.length} numberings were taken, the newest is ${numbering}`]),
  ]
}

function goesBack({steps}: KeptProfile['moves'][number]): boolean {
  return steps.some(([key, before, after]) => key === GENERATION && before !== null && after !== null && after < before)
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
