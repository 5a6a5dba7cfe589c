import {pairText} from '../../shared/cursor/cursor.ts'
import type {NumberedEndLine, NumberedFrameLine, NumberedLine} from '../engine/replay/numbered-lines.ts'

/** One line of a replayed numbered stream for people; `--json` is for programs. */
export function describeNumberedLine(line: NumberedLine): string {
  return line.fact === 'end' ? endText(line) : frameText(line)
}

function frameText({n, conn, event, outcome, problem, decision, taken, ...more}: NumberedFrameLine): string {
  const {generation, sequence} = more
  const place = generation === undefined || sequence === undefined ? [] : [pairText({generation, sequence})]
  const judged =
    decision === undefined ? [] : [`${DECISIONS[decision]}${unseenText(more)}${taken === true ? ', taken' : ''}`]
  const said = problem === undefined ? outcome : `${outcome} (${problem})`
  return [n, ...(conn === undefined ? [] : [conn]), event || '(no type)', said, ...place, ...judged].join('  ')
}

const DECISIONS: {readonly [D in NonNullable<NumberedFrameLine['decision']>]: string} = {
  first: 'first',
  next: 'next',
  hole: 'hole',
  newGeneration: 'new generation',
  duplicate: 'not greater',
  stale: 'of a generation that is over',
  numberingReset: 'the numbering begins anew, below the cursor',
}

function unseenText({missing, missingGenerations}: Pick<NumberedFrameLine, 'missing' | 'missingGenerations'>): string {
  const parts = [
    ...(missing === undefined ? [] : [`${missing} not seen`]),
    ...(missingGenerations === undefined ? [] : [`${missingGenerations} generations not seen`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function endText({cursor, generations, ...counts}: NumberedEndLine): string {
  const {frames, handled, discarded, control, malformed, duplicates, stale, resets, holes, notSeen} = counts
  const at = cursor === undefined ? '(no cursor)' : pairText(cursor)
  const seen = generations.map(
    ({generation, first, last, events}) => `generation ${generation}: ${events} events, ${first} to ${last}`,
  )
  const whole = counts.generationsNotSeen === 0 ? '' : ` and ${counts.generationsNotSeen} whole generations`
  return [
    `end at ${at}`,
    `${frames} frames: ${handled} handled, ${discarded} discarded, ${control} control, ${malformed} malformed, ${duplicates} duplicates, ${stale} stale`,
    `${resets} numbering resets, ${holes} holes (${notSeen} numbers${whole} not seen)`,
    ...seen,
  ].join('; ')
}
