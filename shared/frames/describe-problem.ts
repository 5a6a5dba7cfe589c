import {assertNever} from '../base/assert-never.ts'
import type {FrameProblem} from './frame.ts'
import {clip} from './summary.ts'

/** Why a frame was refused, for lists. The bytes are shown beside it. */
export function problemSummary(problem: FrameProblem): string {
  switch (problem.kind) {
    case 'notJson':
      return clip(`not JSON: ${problem.detail}`)
    case 'notAnObject':
      return 'the data is not a JSON object'
    case 'badPosition':
      return problem.field === 'id' ? 'the id begins like a vector and is none' : 'the position is invalid'
    case 'badCursor':
      return problem.at === '' ? 'generation and sequence are no cursor' : `${clip(problem.at)} is no cursor`
    case 'badCursorId':
      return clip(`the id “${problem.id}” is no cursor`)
    case 'badGap':
      return `the gap's ${problem.field} is invalid`
    case 'tooLong':
      return `more than ${problem.capBytes} bytes without an end`
    case 'tooDense':
      return `more than ${problem.most} objects, lists and members`
    case 'noCursor':
      return `${problem.type} without a cursor`
    case 'noActiveSession':
      return `${problem.type} of no session`
    case 'noBegin':
      return `the ${problem.part} of a snapshot that did not begin`
    case 'badSnapshot':
      return `a snapshot with an invalid ${SNAPSHOT_PARTS[problem.what]}`
    default:
      return assertNever(problem)
  }
}

const SNAPSHOT_PARTS = {
  cursor: 'cursor',
  activeSession: 'session',
  chunkCount: 'number of chunks',
  chunkOrder: 'order of chunks',
  messageCount: 'number of messages',
} as const
