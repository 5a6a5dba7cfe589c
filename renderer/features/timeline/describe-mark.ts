import {assertNever} from '../../../shared/base/assert-never.ts'
import type {AttemptRow, FrameRow, GapRow} from '../../../shared/contract/rows.ts'
import {nameLane} from '../../../shared/words/name-cursor.ts'
import {MAY_HAVE_RUN_TWICE} from '../../../shared/words/name-handler.ts'
import {nameAttempt, nameGapOutcome, nameOutcome} from '../../../shared/words/name-state.ts'
import {counted, duration, laneSequence, stepText} from '../../ui/format.ts'
import {describeCursorMark} from './describe-cursor-mark.ts'
import type {Mark} from './mark.ts'
import type {MarkWords} from './mark-words.ts'
import {gapSteps} from './timeline-data.ts'

/** `undefined` for what only helps to read the others: rules, names, lines, labels. */
export function describeMark(mark: Mark, frames: ReadonlyMap<number, FrameRow>): MarkWords | undefined {
  switch (mark.kind) {
    case 'frame':
    case 'echo':
      return frameWords(mark, frames)
    case 'replaced':
      return {
        ...about(mark),
        lane: mark.key,
        what: 'replaced by a gap',
        detail: stepText(mark.before ?? null, mark.after),
      }
    case 'removed':
      return {...about(mark), lane: mark.key, what: 'removed by a gap', detail: stepText(mark.before, null)}
    case 'gapBand':
      return {...about(mark), lane: '', what: gapTitle(mark.gap, mark.frames.length), detail: gapDetail(mark.gap)}
    case 'span':
      return {...about(mark), lane: 'callbacks', what: spanTitle(mark), detail: mark.attempt.error ?? ''}
    case 'generation':
    case 'numbering':
    case 'boundary':
    case 'hole':
    case 'activity':
      return describeCursorMark(mark)
    case 'strip':
    case 'unwatched':
    case 'pruned':
      return stretchWords(mark)
    case 'grid':
    case 'lane':
    case 'stepLine':
    case 'density':
    case 'link':
    case 'label':
    case 'now':
    case 'moment':
    case 'selected':
    case 'selectedBand':
      return undefined
    default:
      return assertNever(mark)
  }
}

function stretchWords(mark: Extract<Mark, {kind: 'strip' | 'unwatched' | 'pruned'}>): MarkWords {
  const [at, length] = [mark.from, duration(mark.to - mark.from)]
  switch (mark.kind) {
    case 'strip':
      return {at, lane: 'connection', what: mark.words, detail: `for ${length}`, frame: undefined}
    case 'unwatched':
      return {
        ...{at, lane: '', what: 'nobody watched', frame: undefined},
        detail: `unknown for ${length}: Tidemark was not running, or this source did not exist`,
      }
    case 'pruned':
      return {
        ...{at, lane: '', what: PRUNED, frame: undefined},
        detail: 'retention keeps the gaps, what was skipped, where the lines led and how many frames there were',
      }
    default:
      return assertNever(mark)
  }
}

/** The words on the picture too. */
export const PRUNED = 'details deleted'

function about({at, frames}: {readonly at: number; readonly frames: readonly number[]}) {
  return {at, frame: frames[0]}
}

function frameWords(mark: Extract<Mark, {kind: 'frame' | 'echo'}>, frames: ReadonlyMap<number, FrameRow>): MarkWords {
  const [first] = mark.frames
  const frame = first === undefined ? undefined : frames.get(first)
  const lane = mark.key === undefined ? 'connection' : nameLane(mark.key)
  if (frame === undefined) return {...about(mark), lane, what: 'frame', detail: ''}
  if (mark.frames.length > 1)
    return {
      ...about(mark),
      lane,
      what: counted(mark.frames.length, `${nameOf(mark)} frame`),
      detail: `the first: ${frame.summary}`,
    }
  const attempt = frame.attempt > 1 ? ` · attempt ${frame.attempt}: ${MAY_HAVE_RUN_TWICE}` : ''
  const sequence = mark.kind === 'echo' ? '' : `${laneSequence(frame.lane, frame.sequence)} `
  return {...about(mark), lane, what: `${sequence}${frame.event} ${nameOf(mark)}`, detail: `${frame.summary}${attempt}`}
}

function nameOf(mark: Extract<Mark, {kind: 'frame' | 'echo'}>): string {
  if (mark.kind === 'echo') return 'moved this too'
  switch (mark.shape) {
    case 'dot':
    case 'speck':
      return nameOutcome('handled').word
    case 'diamond':
      return 'taken as the baseline'
    case 'ring':
      return nameOutcome('rejected').word
    case 'chevrons':
      return nameOutcome('skipped').word
    case 'square':
      return nameOutcome('discarded').word
    case 'cross':
      return nameOutcome('malformed').word
    case 'waiting':
      return nameOutcome('pending').word
    case 'tick':
      return nameOutcome('control').word
    case 'ignored':
      return 'ignored'
    default:
      return assertNever(mark.shape)
  }
}

function gapTitle(gap: GapRow | undefined, together: number): string {
  if (together > 1) return counted(together, 'gap')
  return gap === undefined ? 'gap' : `gap, ${nameGapOutcome(gap.outcome).word}`
}

function gapDetail(gap: GapRow | undefined): string {
  if (gap === undefined) return ''
  const steps = gapSteps(gap).slice(0, 4)
  const moved = steps.map(([key, before, after]) => `${key} ${stepText(before, after)}`).join(', ')
  const said = gap.said.reason === undefined ? '' : `“${gap.said.reason}”`
  return [said, moved].filter((part) => part !== '').join(' · ')
}

function spanTitle({attempt, runs}: Extract<Mark, {kind: 'span'}>): string {
  if (runs > 1) return counted(runs, `${attempt.callback} run`)
  return `${attempt.callback} ${nameAttempt(attempt.state).word}${took(attempt)}, attempt ${attempt.n}`
}

function took({startedAt, endedAt}: AttemptRow): string {
  return endedAt === undefined ? '' : ` after ${duration(endedAt - startedAt)}`
}
