import {assertNever} from '../base/assert-never.ts'
import type {ToldProblem} from '../contract/reasons.ts'
import {type Explanation, withSaid} from './explanation.ts'
import {nameIdForm} from './name-cursor-place.ts'

/** What of the frame's bytes can be looked at beside these words. */
export type BytesShown = 'below' | 'none'

/** Why a frame was refused before any callback. */
export function explainProblem(problem: ToldProblem, bytes: BytesShown): Explanation {
  const detail = 'No callback ran and the position did not move.'
  switch (problem.kind) {
    case 'notJson':
      return notJson(problem, bytes, detail)
    case 'notAnObject':
      return {
        title: 'Malformed: the data is JSON but not an object',
        detail,
        whatToDo: 'Every frame of this stream carries an object; report it to whoever runs the bridge.',
      }
    case 'badPosition':
      return {
        title: `Malformed: the position in ${problem.field === 'id' ? 'the frame’s id' : '“position”'} has a coordinate that is no sequence`,
        detail: `One bad coordinate refuses the whole frame. ${detail}`,
        whatToDo: 'A sequence is a whole number from 0 to 9007199254740991; look for the one that is not.',
      }
    case 'badCursor':
      return badCursor(problem.at, detail)
    case 'badCursorId':
      return badCursorId(problem, detail)
    case 'badGap':
      return {
        title: `Malformed gap: “${problem.field}” is present but invalid`,
        detail: `The replacement was not applied. ${detail}`,
        whatToDo:
          'Something was lost before this point, but where the stream goes on is not known. Ask whoever runs the bridge.',
      }
    case 'tooLong':
    case 'tooDense':
      return tooMuch(problem, detail)
    case 'noCursor':
    case 'noActiveSession':
      return {
        title: `Malformed: a ${problem.type} without ${problem.kind === 'noCursor' ? 'its number' : 'the session it belongs to'}`,
        detail: `Each of its kind takes a number. ${detail} The next one then shows that a number is missing.`,
        whatToDo: 'Look at its bytes: the daemon sent something wrong, or Tidemark does not know this form yet.',
      }
    case 'noBegin':
      return {
        title: `Malformed: the ${problem.part} of a snapshot whose beginning was not seen`,
        detail,
        whatToDo: 'Nothing is to be done: Tidemark asks for a whole one.',
      }
    case 'badSnapshot':
      return {
        title: 'Malformed: the parts of a snapshot do not make a whole one',
        detail: `It was not adopted. ${detail}`,
        whatToDo: 'Nothing is to be done: Tidemark asks for another one.',
      }
    default:
      return assertNever(problem)
  }
}

function notJson(problem: Extract<ToldProblem, {kind: 'notJson'}>, bytes: BytesShown, detail: string): Explanation {
  const place = positionOf(problem) === undefined ? '' : ': the place is marked'
  return withSaid(
    {
      title: 'Malformed: the data is not JSON',
      detail,
      whatToDo:
        bytes === 'below'
          ? `Look at its bytes below for what broke it${place}.`
          : 'Its bytes were not kept, so what broke it cannot be looked at here.',
    },
    problem.detail,
  )
}

function tooMuch(problem: Extract<ToldProblem, {kind: 'tooLong' | 'tooDense'}>, detail: string): Explanation {
  if (problem.kind === 'tooLong')
    return {
      title: `Malformed: longer than ${problem.capBytes} bytes without an end`,
      detail: `${detail} Its bytes were dropped up to its end.`,
      whatToDo: 'Find out what sends a frame of this size.',
    }
  return {
    title: `Malformed: more than ${problem.most} objects, lists and members in one message`,
    detail: `It was not parsed: that alone could stop everything else for a long time. ${detail}`,
    whatToDo: 'Find out what sends such a message.',
  }
}

function badCursor(at: string, detail: string): Explanation {
  return {
    title: `Malformed: ${at === '' ? 'generation and sequence are' : `“${at}” is`} no cursor`,
    detail: `A cursor is taken whole or not at all. ${detail} Reading goes on after it.`,
    whatToDo: 'A generation is a whole number or a name, a sequence a whole number; look at its bytes.',
  }
}

function badCursorId({form, id}: Extract<ToldProblem, {kind: 'badCursorId'}>, detail: string): Explanation {
  return {
    title: `Malformed: the event’s id “${id}” is no cursor`,
    detail: `It is expected as ${nameIdForm(form)}, and taken whole or not at all. ${detail} Reading goes on after it.`,
    whatToDo: 'Look at what the server sends as `id:`, and choose its form in the settings of this source.',
  }
}

/** Where the JSON of a frame broke off, as the parser counts: in UTF-16 code units from its beginning. `undefined`: it did not say. */
export function positionOf(problem: ToldProblem): number | undefined {
  const said = problem.kind === 'notJson' ? /\bposition (\d+)/.exec(problem.detail)?.[1] : undefined
  return said === undefined ? undefined : Number(said)
}
