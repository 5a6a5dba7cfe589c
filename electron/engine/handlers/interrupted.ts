import type {HandlerEnd} from './handler-callbacks.ts'

/** Why a run was given up, by the reason of the signal that said so: what is not the deadline is no failure of the handler. */
export function interrupted({reason}: AbortSignal): Pick<HandlerEnd, 'state'> & {readonly error: string} {
  switch (reason) {
    case 'deadline':
      return {state: 'timedOut', error: 'it ran longer than its deadline'}
    case 'closedWithApp':
      return {state: 'aborted', error: 'Tidemark closed while it ran'}
    case 'restart':
      return {state: 'aborted', error: 'its source began anew while it ran'}
    default:
      return {state: 'aborted', error: 'its source was stopped while it ran'}
  }
}
