import {z} from 'zod'
import {isJsonObject} from '../base/json.ts'
import {HANDLER_LIMITS, type Handler, type HandlerRule, USUAL_HANDLER} from '../handlers/handler.ts'

/*
 * The user's handlers as they cross to a screen, and as a person may write them in a file for the command line. Bounds are part
 * of the shape: what does not fit is refused before anything is stored.
 */

const text = z.string().min(1).max(1_000)
const names = z.array(text).min(1).max(100).readonly()

function within({least, most}: {readonly least: number; readonly most: number}) {
  return z.number().int().min(least).max(most)
}

const handlerRule = z.strictObject({
  rooms: names.exactOptional(),
  events: names.exactOptional(),
  addressed: z.boolean().exactOptional(),
  outcomes: z
    .array(z.enum(['handled', 'replaced', 'ownReplaced', 'unmoved', 'discarded']))
    .min(1)
    .readonly()
    .exactOptional(),
}) satisfies z.ZodType<HandlerRule>

/** No user, no fragment: a password there would be kept in clear. */
const WEBHOOK_URL = /^https?:\/\/[^/?#@\s]+(?:[/?][^#\s]*)?$/i
/** A NUL ends an argument for the system, and the rest would be dropped without a word. */
const argument = z
  .string()
  .max(10_000)
  .regex(/^[^\0]*$/)

const handlerAction = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    argv: z
      .array(argument)
      .min(1)
      .max(100)
      .refine(([program]) => program !== '', 'no program is named')
      .readonly(),
    cwd: argument.min(1).exactOptional(),
    env: z
      .array(z.tuple([z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), argument]).readonly())
      .max(100)
      .readonly(),
    hasSecret: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('webhook'),
    url: z
      .url({protocol: /^https?$/})
      .regex(WEBHOOK_URL)
      .max(4_000),
  }),
  z.strictObject({kind: z.literal('notification')}),
])

export const handler = z.strictObject({
  id: z.string().min(1).max(100),
  name: z.string().trim().min(1).max(HANDLER_LIMITS.nameLength),
  rule: handlerRule,
  deadlineMs: within(HANDLER_LIMITS.deadlineMs),
  attempts: within(HANDLER_LIMITS.attempts),
  backoffMs: within(HANDLER_LIMITS.backoffMs),
  action: handlerAction,
}) satisfies z.ZodType<Handler>

export const handlerList = z
  .array(handler)
  .max(HANDLER_LIMITS.handlers)
  .refine((list) => new Set(list.map(({id}) => id)).size === list.length, 'two handlers have one id')
  .readonly()

/** [handler, secret]: a webhook's key, or what a command finds as `TIDEMARK_SECRET`. Empty: there is none any more. */
export const handlerSecrets = z.array(z.tuple([z.string(), z.string().max(10_000)])).readonly()

/** A list as a person writes it into a file, with secrets that are kept apart. */
export const handlerFile = z.strictObject({
  handlers: z.preprocess((list) => (Array.isArray(list) ? list.map(withUsual) : list), handlerList),
  secrets: handlerSecrets.optional(),
})

/** What is left out of a handler is as a form would have it; it is known by its name then. */
function withUsual(written: unknown): unknown {
  if (!isJsonObject(written)) return written
  const {name, action} = written
  const whole = isJsonObject(action) && action['kind'] === 'command' ? {env: [], hasSecret: false, ...action} : action
  return {id: name, rule: {}, ...USUAL_HANDLER, ...written, action: whole}
}
