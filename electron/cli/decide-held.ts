import {setTimeout as pause} from 'node:timers/promises'
import type {Client} from '../../shared/contract/client.ts'
import type {FrameDetail, RequestError} from '../../shared/contract/contract.ts'
import type {AttemptRow, SourceView} from '../../shared/contract/rows.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainRequestError} from '../../shared/words/explain-failure.ts'
import {MAY_RUN_TWICE} from '../../shared/words/name-handler.ts'
import {nameAttempt} from '../../shared/words/name-state.ts'
import {EXIT} from './exit-codes.ts'
import {isoTime, type Output, printable} from './output.ts'
import {withEngine} from './with-engine.ts'

export interface DecideArguments {
  readonly profile?: string
  readonly json?: boolean
  /** A name or an id. */
  readonly source: string
}

/** Looks again after so long whether the frame is settled, in ms. */
const LOOK_MS = 100

/** `tidemark retry`: runs the frame that holds a source once more, and tells how that ended. */
export function retryHeld(args: DecideArguments, output: Output): Promise<number> {
  return withEngine(args, output, async (client, view) => {
    const frame = heldAt(view)
    if (frame === undefined) return notHeld(view, output)
    const before = await detailOf(client, frame)
    const asked = await client.request('sources.retry', {source: view.id})
    if (!asked.ok) return complain(asked.error, output)
    const n = Math.max(0, ...(before?.attempts ?? []).map((attempt) => attempt.n)) + 1
    if (args.json !== true) output.note(`Attempt ${n} begins: ${n > 1 ? MAY_RUN_TWICE : 'it is the first'}.`)
    for (;;) {
      const detail = await detailOf(client, frame)
      const attempt = detail?.attempts.find((one) => one.n === n && one.state !== 'pending')
      const settled = detail !== undefined && attempt === undefined && detail.frame.outcome === 'handled'
      if (detail !== undefined && (attempt !== undefined || settled)) {
        await output.line(
          args.json === true ? JSON.stringify(attemptJson(detail, attempt)) : attemptText(detail, attempt),
        )
        return detail.frame.outcome === 'handled' || detail.frame.outcome === 'discarded' ? EXIT.ok : EXIT.failed
      }
      await pause(LOOK_MS)
    }
  })
}

/** `tidemark skip`: steps over the frame that holds a source, with the reason that stays in the history. */
export function skipHeld(
  {reason, ...args}: DecideArguments & {readonly reason: string},
  output: Output,
): Promise<number> {
  return withEngine(args, output, async (client, view) => {
    const frame = heldAt(view)
    if (frame === undefined) return notHeld(view, output)
    const asked = await client.request('sources.skip', {source: view.id, frame, reason})
    if (!asked.ok) return complain(asked.error, output)
    const told = {fact: 'skipped', source: view.id, name: view.name, frame, reason}
    await output.line(args.json === true ? JSON.stringify(told) : printable(`${view.name}: skipped frame ${frame}`))
    return EXIT.ok
  })
}

function heldAt({connection}: SourceView): number | undefined {
  return connection.state === 'held' ? connection.frame : undefined
}

function notHeld({name, connection}: SourceView, output: Output): number {
  output.note(printable(`${name} is not held (${connection.state}): there is nothing to decide.`))
  return EXIT.failed
}

function complain(error: RequestError, output: Output): number {
  output.note(inOneLine(explainRequestError(error)))
  return EXIT.failed
}

async function detailOf(client: Client, frame: number): Promise<FrameDetail | undefined> {
  const detail = await client.request('frames.detail', {frame})
  if (!detail.ok && detail.error.kind === 'unreachable') throw new Error(detail.error.detail)
  return detail.ok ? detail.value : undefined
}

function attemptJson({frame}: FrameDetail, attempt: AttemptRow | undefined) {
  const {startedAt, endedAt, ...rest} = attempt ?? {frame: frame.id, startedAt: undefined, endedAt: undefined}
  return {
    fact: 'attempt',
    ...rest,
    ...(startedAt === undefined ? {} : {startedAt: isoTime(startedAt)}),
    ...(endedAt === undefined ? {} : {endedAt: isoTime(endedAt)}),
    outcome: frame.outcome,
  }
}

function attemptText({frame}: FrameDetail, attempt: AttemptRow | undefined): string {
  if (attempt === undefined) return `Frame ${frame.id}: ${frame.outcome}, and no callback ran for it`
  const error = attempt.error === undefined ? '' : `: ${attempt.error}`
  return printable(`Frame ${frame.id}, attempt ${attempt.n}: ${nameAttempt(attempt.state).word}${error}`)
}
