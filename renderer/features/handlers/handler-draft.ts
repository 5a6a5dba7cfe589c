import {assertNever} from '../../../shared/base/assert-never.ts'
import {parseJson} from '../../../shared/base/json.ts'
import {handler as handlerSchema} from '../../../shared/contract/handlers.ts'
import {
  type ChosenOutcome,
  type Handler,
  type HandlerAction,
  type HandlerRule,
  USUAL_HANDLER,
} from '../../../shared/handlers/handler.ts'
import {explainUnfitHandler, WEBHOOK_NEEDS_KEY} from '../../../shared/words/explain-handler.ts'

/** A handler as it is being typed. Lists are one item a line; what a line does not show as it is stands there as a JSON string. */
export interface HandlerDraft {
  readonly id: string
  readonly name: string
  readonly kind: HandlerAction['kind']
  readonly argv: string
  readonly cwd: string
  readonly env: string
  readonly url: string
  /** Typed anew; empty: as it is kept. */
  readonly secret: string
  /** What is kept is deleted. */
  readonly forgetsSecret: boolean
  readonly rooms: string
  readonly events: string
  readonly addressed: 'any' | 'yes' | 'no'
  readonly outcomes: readonly ChosenOutcome[]
  /** In seconds. */
  readonly deadline: string
  readonly attempts: string
  /** In seconds. */
  readonly backoff: string
}

export function emptyDraft(id: string): HandlerDraft {
  return {
    id,
    name: '',
    kind: 'command',
    argv: '',
    cwd: '',
    env: '',
    url: '',
    secret: '',
    forgetsSecret: false,
    rooms: '',
    events: '',
    addressed: 'any',
    outcomes: [],
    deadline: String(USUAL_HANDLER.deadlineMs / 1000),
    attempts: String(USUAL_HANDLER.attempts),
    backoff: String(USUAL_HANDLER.backoffMs / 1000),
  }
}

export function draftOf({id, name, rule, deadlineMs, attempts, backoffMs, action}: Handler): HandlerDraft {
  return {
    ...emptyDraft(id),
    name,
    kind: action.kind,
    ...(action.kind === 'command'
      ? {
          argv: linesFor(action.argv),
          cwd: action.cwd ?? '',
          env: action.env.map(([variable, value]) => `${variable}=${value === '' ? '' : lineFor(value)}`).join('\n'),
        }
      : {}),
    ...(action.kind === 'webhook' ? {url: action.url} : {}),
    rooms: linesFor(rule.rooms ?? []),
    events: linesFor(rule.events ?? []),
    addressed: rule.addressed === undefined ? 'any' : rule.addressed ? 'yes' : 'no',
    outcomes: rule.outcomes ?? [],
    deadline: String(deadlineMs / 1000),
    attempts: String(attempts),
    backoff: String(backoffMs / 1000),
  }
}

/** The handler that is meant, or which field does not fit yet. */
export type ReadDraft =
  | {readonly kind: 'ready'; readonly handler: Handler}
  | {readonly kind: 'unfit'; readonly problem: string}

export function readDraft(draft: HandlerDraft, keepsSecret: boolean): ReadDraft {
  const hasSecret = keepsSecret && !draft.forgetsSecret
  const parsed = handlerSchema.safeParse({
    id: draft.id,
    name: draft.name,
    rule: ruleOf(draft),
    deadlineMs: milliseconds(draft.deadline),
    attempts: Number(draft.attempts),
    backoffMs: milliseconds(draft.backoff),
    action: actionOf(draft, hasSecret),
  })
  if (!parsed.success) return {kind: 'unfit', problem: explainUnfitHandler(parsed.error.issues[0]?.path ?? [])}
  if (draft.kind === 'webhook' && draft.secret === '' && !hasSecret) return {kind: 'unfit', problem: WEBHOOK_NEEDS_KEY}
  return {kind: 'ready', handler: parsed.data}
}

/** What goes apart from the handler, if anything does. */
export function secretsOf({id, secret, forgetsSecret}: HandlerDraft): readonly (readonly [string, string])[] {
  return secret !== '' || forgetsSecret ? [[id, secret]] : []
}

/** Whether it runs for less than every event and every gap. */
export function isNarrowed(draft: HandlerDraft): boolean {
  return Object.keys(ruleOf(draft)).length > 0
}

function actionOf(draft: HandlerDraft, hasSecret: boolean): HandlerAction {
  switch (draft.kind) {
    case 'command':
      return {
        kind: 'command',
        argv: argumentsOf(draft.argv),
        ...(draft.cwd.trim() === '' ? {} : {cwd: draft.cwd.trim()}),
        env: linesOf(draft.env).map((line) => {
          const [variable = '', ...value] = line.split('=')
          return [variable, readLine(value.join('='))] as const
        }),
        hasSecret: hasSecret || draft.secret !== '',
      }
    case 'webhook':
      return {kind: 'webhook', url: draft.url.trim()}
    case 'notification':
      return {kind: 'notification'}
    default:
      return assertNever(draft.kind)
  }
}

function ruleOf({rooms, events, addressed, outcomes}: HandlerDraft): HandlerRule {
  return {
    ...(linesOf(rooms).length === 0 ? {} : {rooms: namesOf(rooms)}),
    ...(linesOf(events).length === 0 ? {} : {events: namesOf(events)}),
    ...(addressed === 'any' ? {} : {addressed: addressed === 'yes'}),
    ...(outcomes.length === 0 ? {} : {outcomes}),
  }
}

/** Shown as it is where it begins and ends with something to see, on one line, and not with what begins a JSON string. */
const SHOWN_AS_IT_IS = /^[^"\s](?:.*\S)?$/

function lineFor(text: string): string {
  return SHOWN_AS_IT_IS.test(text) ? text : JSON.stringify(text)
}

function linesFor(texts: readonly string[]): string {
  return texts.map(lineFor).join('\n')
}

function readLine(line: string): string {
  const quoted = line.startsWith('"') ? parseJson(line) : undefined
  return typeof quoted === 'string' ? quoted : line
}

/** One argument a line; only the end of the last line is none. */
function argumentsOf(text: string): readonly string[] {
  return text.replace(/\n+$/, '').split('\n').map(readLine)
}

function namesOf(text: string): readonly string[] {
  return linesOf(text).map(readLine)
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function milliseconds(seconds: string): number {
  return seconds.trim() === '' ? Number.NaN : Math.round(Number(seconds) * 1000)
}
