import type {HoleRow} from '../../../shared/contract/rows.ts'
import {rangeOfHole, seenOfHole, titleOfHole} from '../../../shared/words/explain-hole.ts'
import {sayNumbering} from '../../../shared/words/explain-numbering.ts'
import {nameActivityKind, nameActivityState} from '../../../shared/words/name-activity.ts'
import {nameLane} from '../../../shared/words/name-cursor.ts'
import {nameCause} from '../../../shared/words/name-state.ts'
import {count, counted, duration} from '../../ui/format.ts'
import type {Mark, NumberingMark} from './mark.ts'
import type {MarkWords} from './mark-words.ts'

type CursorMark = Extract<Mark, {kind: 'generation' | 'numbering' | 'boundary' | 'hole' | 'activity'}>

/** The marks of a source with a cursor {generation, sequence}, in words. */
export function describeCursorMark(mark: CursorMark): MarkWords {
  switch (mark.kind) {
    case 'generation':
      return {
        at: mark.from,
        lane: nameLane(mark.key),
        what: `generation ${nameLane(mark.key)}${mark.ended ? ', retired' : ''}`,
        detail: generationDetail(mark),
        frame: undefined,
      }
    case 'numbering':
      return {at: mark.until, lane: mark.key, ...numberingWords(mark), frame: mark.frames[0]}
    case 'boundary':
      return {
        at: mark.at,
        lane: mark.key,
        what: mark.together > 1 ? counted(mark.together, 'generation') : `generation ${mark.generation} begins`,
        detail: `${mark.together > 1 ? `the last: ${mark.generation}; ` : ''}${orderOf(mark)}`,
        frame: undefined,
      }
    case 'hole':
      return {
        at: mark.at,
        lane: nameLane(mark.key),
        ...holeWords(mark.holes),
        frame: mark.frames[0],
      }
    case 'activity':
      return {at: mark.at, lane: 'activities', ...activityWords(mark), frame: mark.frames[0]}
  }
}

function orderOf({anew, together}: Extract<Mark, {kind: 'boundary'}>): string {
  if (!anew) return 'the order goes on'
  return together > 1 ? 'among them the order begins anew' : 'lower than the one before it: the order begins anew'
}

function numberingWords({numbering, at, until, frames}: NumberingMark): Pick<MarkWords, 'what' | 'detail'> {
  const {word} = nameCause(numbering.decision === 'taken' ? 'numberingTaken' : 'numberingKept')
  const told = `${sayNumbering(numbering)}; settled ${duration(until - at)} after it came`
  return frames.length > 1
    ? {what: `${word}, ${count(frames.length)} times`, detail: `the first: ${told}`}
    : {what: word, detail: told}
}

function generationDetail({first, last, ended}: Extract<Mark, {kind: 'generation'}>): string {
  const begin = first === undefined ? 'first event not known' : `first event ${first}`
  return `${begin}, last number ${last}${ended ? '; what came after it is not known' : ''}`
}

function holeWords(holes: readonly HoleRow[]): Pick<MarkWords, 'what' | 'detail'> {
  const [hole] = holes
  if (hole === undefined || holes.length > 1)
    return {what: counted(holes.length, 'hole'), detail: hole === undefined ? '' : `the first: ${titleOfHole(hole)}`}
  const said = hole.said === undefined ? '' : `said “${hole.said}”; `
  return {what: titleOfHole(hole), detail: `${said}seen: ${rangeOfHole(hole) ?? ''} (${seenOfHole(hole)})`}
}

function activityWords({activity, together}: Extract<Mark, {kind: 'activity'}>): Pick<MarkWords, 'what' | 'detail'> {
  const kind = nameActivityKind(activity.kind)
  const {word, meaning} = nameActivityState(activity.state)
  if (together > 1) return {what: counted(together, kind), detail: word}
  const {startedAt, endedAt} = activity
  const took =
    startedAt === undefined
      ? ', its start not seen'
      : endedAt === undefined
        ? ''
        : ` after ${duration(endedAt - startedAt)}`
  return {
    what: `${kind} ${word}${took}`,
    detail: [activity.label, activity.state === 'notSeen' ? meaning : ''].filter((part) => part !== '').join(' · '),
  }
}
