import {readFileSync} from 'node:fs'
import {z} from 'zod'
import {parseJson} from '../../shared/base/json.ts'
import {messageOf} from '../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import type {Client} from '../../shared/contract/client.ts'
import {handlerFile} from '../../shared/contract/handlers.ts'
import {type Handler, TRIED_OUTCOMES} from '../../shared/handlers/handler.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainRequestError} from '../../shared/words/explain-failure.ts'
import {actionText, limitsText, ruleText, runText} from '../../shared/words/name-handler.ts'
import {nameAttempt} from '../../shared/words/name-state.ts'
import {EXIT} from './exit-codes.ts'
import {type ListArguments, withSources} from './list-profile.ts'
import {type Output, printable} from './output.ts'
import {withEngine} from './with-engine.ts'

/** `tidemark handlers`: what runs for the frames of each source, in its order. Reads beside whoever owns the profile. */
export function listHandlers(args: ListArguments, output: Output): Promise<number> {
  return withSources(args, output, async ({sources}) => {
    if (!sources.some(({record}) => (record.handlers ?? []).length > 0))
      output.note('No handler runs for any of its frames.')
    for (const {record} of sources)
      for (const [place, handler] of (record.handlers ?? []).entries())
        await output.line(
          args.json === true
            ? JSON.stringify({source: record.id, of: record.name, place: place + 1, ...handler})
            : printable(handlerText(record, place, handler)),
        )
  })
}

function handlerText({name: source}: SourceRecord, place: number, handler: Handler): string {
  const {name, action, rule} = handler
  return `${source}  ${place + 1}. ${name}: ${actionText(action)}  [${ruleText(rule)}]  ${limitsText(handler)}`
}

export interface SetArguments {
  readonly profile?: string
  readonly json?: boolean
  readonly source: string
  /** `-` is standard input. */
  readonly file: string
}

/** `tidemark handlers <source> --set`: the whole list, in its order. */
export async function replaceHandlers({file, ...args}: SetArguments, output: Output): Promise<number> {
  const read = readHandlerFile(file)
  if (!read.ok) {
    output.note(printable(`${file === '-' ? 'Standard input' : file} ${read.error}`))
    return EXIT.failed
  }
  const {handlers, secrets = []} = read.value
  return withEngine({...args, isWatched: false}, output, async (client, view) => {
    const set = await client.request('handlers.set', {
      source: view.id,
      handlers: [...handlers],
      secrets: secrets.map(([id, secret]) => [id, secret]),
    })
    if (!set.ok) {
      output.note(inOneLine(explainRequestError(set.error)))
      return EXIT.failed
    }
    const told = {fact: 'handlersSet', source: view.id, of: view.name, handlers: handlers.length}
    const names = handlers.length === 0 ? 'nothing' : handlers.map(({name}) => name).join(', ')
    await output.line(
      args.json === true ? JSON.stringify(told) : printable(`${view.name}: from its next frame on, ${names} runs`),
    )
    return EXIT.ok
  })
}

/** The error never has in it what was read: there are secrets among it. */
function readHandlerFile(file: string): Result<z.infer<typeof handlerFile>, string> {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (cause) {
    return err(`cannot be read: ${messageOf(cause)}`)
  }
  const json = parseJson(text)
  if (json === undefined) return err('is no JSON.')
  const read = handlerFile.safeParse(json)
  if (read.success) return ok(read.data)
  return err(`is no list of handlers. ${z.prettifyError(read.error).replaceAll(/\s+/g, ' ')}`)
}

export interface TryArguments {
  readonly profile?: string
  readonly json?: boolean
  readonly source: string
  /** A name or an id. */
  readonly handler: string
  /** Absent: the newest that a handler could run for. */
  readonly frame?: number
}

/** `tidemark handlers <source> --test`: runs one on a frame of the past. Nothing moves, and nothing is recorded. */
export function tryOneHandler({handler: named, frame: meant, ...args}: TryArguments, output: Output): Promise<number> {
  return withEngine({...args, isWatched: false}, output, async (client, view) => {
    const handler = view.handlers.find(({id, name}) => id === named || name === named)
    if (handler === undefined) {
      output.note(printable(`${view.name} has no handler that is named ${named}.`))
      return EXIT.failed
    }
    const frame = meant ?? (await newestFrame(client, view.id))
    if (frame === undefined) {
      output.note(printable(`${view.name} has no frame yet that a handler could run for.`))
      return EXIT.failed
    }
    const run = await client.request('handlers.test', {source: view.id, handler, frame})
    if (!run.ok) {
      output.note(inOneLine(explainRequestError(run.error)))
      return EXIT.failed
    }
    const {state, error, output: written} = run.value
    const said = [nameAttempt(state).word, error ?? runText(run.value)].filter((part) => part !== undefined)
    await output.line(
      args.json === true
        ? JSON.stringify({fact: 'test', frame, ...run.value})
        : printable(`${handler.name} on frame ${frame}, as a test: ${said.join(', ')}`),
    )
    if (args.json !== true && written !== undefined)
      for (const line of written.trimEnd().split('\n')) await output.line(printable(line))
    return state === 'resolved' ? EXIT.ok : EXIT.failed
  })
}

async function newestFrame(client: Client, source: string): Promise<number | undefined> {
  const page = await client.request('frames.page', {filter: {source, outcomes: [...TRIED_OUTCOMES]}, limit: 1})
  return page.ok ? page.value.frames[0]?.id : undefined
}
