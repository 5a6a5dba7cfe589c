import {HANDLER_LIMITS} from '../handlers/handler.ts'

/** What does not fit yet in a handler that is being typed. @param path - the field, as the shape of a handler names it */
export function explainUnfitHandler(path: readonly PropertyKey[]): string {
  const {nameLength, deadlineMs, attempts, backoffMs} = HANDLER_LIMITS
  const [field, part] = path
  if (field === 'name') return `It needs a name, of at most ${nameLength} characters.`
  if (field === 'deadlineMs') return `The deadline is from ${seconds(deadlineMs)} seconds.`
  if (field === 'attempts') return `Attempts are from ${attempts.least} to ${attempts.most}.`
  if (field === 'backoffMs') return `The first pause is from ${seconds(backoffMs)} seconds.`
  if (field === 'action' && part === 'url')
    return 'The address begins with http:// or https://, without a password and without a #.'
  if (field === 'action' && part === 'env') return 'The environment is one NAME=value a line.'
  if (field === 'action' && part === 'argv') return 'A command needs a program, one argument a line.'
  return `${path.join(' ')} does not fit.`
}

export const WEBHOOK_NEEDS_KEY = 'A webhook needs a key to sign with.'

function seconds({least, most}: {readonly least: number; readonly most: number}): string {
  return `${least / 1_000} to ${most / 1_000}`
}
