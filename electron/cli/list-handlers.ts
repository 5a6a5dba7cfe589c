import {readFileSync} from 'node:fs'
import {z} from 'zod'
import {parseJson} from '../../shared/base/json.ts'
import {handlerList, handlerSecrets} from '../../shared/contract/handlers.ts'
import type {Handler} from '../../shared/handlers/handler.ts'
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

/** What a file holds, or standard input: a list of handlers, and secrets that are kept apart. */
const handlerFile = z.strictObject({handlers: handlerList, secrets: handlerSecrets.optional()})

export interface SetArguments {
  readonly profile?: string
  readonly source: string
  /** `-` is standard input. */
  readonly file: string
}

/** `tidemark handlers <source> --set`: the whole list, in its order. */
export async function replaceHandlers({file, ...args}: SetArguments, output: Output): Promise<number> {
  const read = handlerFile.safeParse(parseJson(readFileSync(file === '-' ? 0 : file, 'utf8')))
  if (!read.success) {
    // Never with what was read: there are secrets in it.
    output.note(`${file} is no list of handlers: ${z.prettifyError(read.error).split('\n').join(' ')}`)
    return EXIT.failed
  }
  const {handlers, secrets = []} = read.data
  return withEngine({...args, isWatched: false}, output, async (client, view) => {
    const set = await client.request('handlers.set', {
      source: view.id,
      handlers: [...handlers],
      secrets: secrets.map(([id, secret]) => [id, secret]),
    })
    if (!set.ok) output.note(inOneLine(explainRequestError(set.error)))
    return set.ok ? EXIT.ok : EXIT.failed
  })
}

export interface TryArguments {
  readonly profile?: string
  readonly json?: boolean
  readonly source: string
  /** A name or an id. */
  readonly handler: string
  readonly frame: number
}

/** `tidemark handlers <source> --test`: runs one on a frame of the past. Nothing moves, and nothing is recorded. */
export function tryOneHandler({handler: named, frame, ...args}: TryArguments, output: Output): Promise<number> {
  return withEngine({...args, isWatched: false}, output, async (client, view) => {
    const handler = view.handlers.find(({id, name}) => id === named || name === named)
    if (handler === undefined) {
      output.note(printable(`${view.name} has no handler that is named ${named}.`))
      return EXIT.failed
    }
    const run = await client.request('handlers.test', {source: view.id, handler, frame})
    if (!run.ok) {
      output.note(inOneLine(explainRequestError(run.error)))
      return EXIT.failed
    }
    const {state, error, output: written} = run.value
    const said = [nameAttempt(state).word, runText(run.value), error].filter((part) => part !== undefined)
    await output.line(args.json === true ? JSON.stringify({fact: 'test', ...run.value}) : printable(said.join(', ')))
    if (args.json !== true && written !== undefined)
      for (const line of written.trimEnd().split('\n')) await output.line(printable(line))
    return state === 'resolved' ? EXIT.ok : EXIT.failed
  })
}
