import {assertNever} from '../base/assert-never.ts'
import type {HandlerRunRow} from '../contract/rows.ts'
import type {Handler, HandlerAction, HandlerRule} from '../handlers/handler.ts'
import {type SourceSettings, wireOf} from '../source/source.ts'

/** What a handler does, in one line. */
export function actionText(action: HandlerAction): string {
  switch (action.kind) {
    case 'command':
      return action.argv.map(argumentText).join(' ')
    case 'webhook':
      return `POST ${action.url}`
    case 'notification':
      return 'a notification on this desktop, or in an open page'
    default:
      return assertNever(action)
  }
}

/** As it is where that is plain, else as JSON, so that one argument is never taken for two. */
function argumentText(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : JSON.stringify(argument)
}

/** Which frames a handler runs for, in the words of the search. */
export function ruleText({rooms, events, addressed, outcomes}: HandlerRule): string {
  const parts = [
    ...(rooms === undefined ? [] : [`room:${rooms.join(',')}`]),
    ...(events === undefined ? [] : [`event:${events.join(',')}`]),
    ...(addressed === undefined ? [] : [`addressed:${addressed ? 'yes' : 'no'}`]),
    ...(outcomes === undefined ? [] : [`outcome:${outcomes.join(',')}`]),
  ]
  return parts.length === 0 ? 'every event and every gap' : parts.join(' ')
}

/** Said of a source without handlers. */
export function noHandlersText(settings: SourceSettings): string {
  return settings.kind === 'demo' && wireOf(settings) === 'switch'
    ? 'Nothing of yours runs for its frames. The demo has callbacks of its own, which take their time, and fail where its script says so.'
    : 'Nothing of yours runs for its frames: what is durable is handled.'
}

export function limitsText({deadlineMs, attempts, backoffMs}: Handler): string {
  const tries = attempts === 1 ? 'one attempt' : `up to ${attempts} attempts, the first pause ${backoffMs / 1000} s`
  return `Ended after ${deadlineMs / 1000} s; ${tries}; then the source is held`
}

/** How a run ended, with what the other side said. */
export function runText({kind, exitCode, signal, status}: HandlerRunRow): string | undefined {
  if (exitCode !== undefined) return `exit code ${exitCode}`
  if (signal !== undefined) return `ended by ${signal}`
  if (status !== undefined) return `HTTP ${status}`
  return kind === 'webhook' ? 'no answer' : undefined
}

/** Said of a frame that came to more than one attempt. */
export const MAY_HAVE_RUN_TWICE = 'its effect may have run twice'

/** Said wherever an attempt begins that is not the first. */
export const MAY_RUN_TWICE = 'its effect may have run before, and may run twice'
