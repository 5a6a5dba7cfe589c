import {setTimeout as pause} from 'node:timers/promises'
import type {Client} from '../../shared/contract/client.ts'
import type {FrameDetail, RequestError} from '../../shared/contract/contract.ts'
import type {AttemptRow, SourceView} from '../../shared/contract/rows.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainRequestError} from '../../shared/words/explain-failure.ts'
import {sayNumbering} from '../../shared/words/explain-numbering.ts'
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

/** `tidemark retry`: runs the frame that holds a source once more, and tells how that ended. Where a numbering began anew it keeps the old one. */
export function retryHeld(args: DecideArguments, output: Output): Promise<number> {
  return withHeld(args, output, async (client, view, frame) => {
    if (view.connection.because?.kind === 'numberingReset') return keepNumbering(client, view, {...args, frame}, output)
    const before = await detailOf(client, frame)
    const asked = await client.request('sources.retry', {source: view.id})
    if (!asked.ok) return complain(asked.error, output)
    const n = Math.max(0, ...(before?.attempts ?? []).map((attempt) => attempt.n)) + 1
    if (args.json !== true) output.note(`Attempt ${n} begins: ${n > 1 ? MAY_RUN_TWICE : 'it is the first'}.`)
    const done = await attemptDone(client, view.id, {frame, n})
    if (done === undefined) {
      output.note(printable(`${view.name} stopped before the attempt began: look at its state.`))
      return EXIT.failed
    }
    const {detail, attempt} = done
    await output.line(args.json === true ? JSON.stringify(attemptJson(detail, attempt)) : attemptText(detail, attempt))
    return WELL_SETTLED.has(detail.frame.outcome) ? EXIT.ok : EXIT.failed
  })
}

/** Work on a source that is held, at the frame that holds it. */
function withHeld(
  args: DecideArguments,
  output: Output,
  work: (client: Client, view: SourceView, frame: number) => Promise<number>,
): Promise<number> {
  return withEngine(args, output, async (client, found) => {
    const view = await begun(client, found)
    const {connection} = view
    if (connection.state === 'held' && connection.frame !== undefined) return work(client, view, connection.frame)
    output.note(printable(`${view.name} is not held (${connection.state}): there is nothing to decide.`))
    return EXIT.failed
  })
}

const WELL_SETTLED: ReadonlySet<FrameDetail['frame']['outcome']> = new Set(['handled', 'discarded'])

const UNSETTLED: ReadonlySet<FrameDetail['frame']['outcome']> = new Set(['pending', 'rejected'])

interface AttemptDone {
  readonly detail: FrameDetail
  /** Absent where the frame was settled without one: nothing runs for it any more. */
  readonly attempt: AttemptRow | undefined
}

/** Waits for the end of an attempt. `undefined`: none was made, and none will be. */
async function attemptDone(
  client: Client,
  source: string,
  {frame, n}: {readonly frame: number; readonly n: number},
): Promise<AttemptDone | undefined> {
  for (;;) {
    const goesOn = await isWatched(client, source)
    const detail = await detailOf(client, frame)
    const attempt = detail?.attempts.find((one) => one.n === n)
    if (detail !== undefined && attempt !== undefined && attempt.state !== 'pending') return {detail, attempt}
    if (detail !== undefined && !UNSETTLED.has(detail.frame.outcome)) return {detail, attempt}
    if (!goesOn) return undefined
    await pause(LOOK_MS)
  }
}

/** A stopped source begins no attempt: its token is gone, its server is not there any more, or somebody paused it. */
async function isWatched(client: Client, source: string): Promise<boolean> {
  const list = await client.request('sources.list', {})
  if (!list.ok) throw new Error(inOneLine(explainRequestError(list.error)))
  return list.value.some(({id, connection}) => id === source && connection.state !== 'stopped')
}

/** `tidemark skip`: steps over the frame that holds a source, with the reason that stays in the history. */
export function skipHeld(
  {reason, ...args}: DecideArguments & {readonly reason: string},
  output: Output,
): Promise<number> {
  return withHeld(args, output, async (client, view, frame) => {
    const asked = await client.request('sources.skip', {source: view.id, frame, reason})
    if (!asked.ok) return complain(asked.error, output)
    const told = {fact: 'skipped', source: view.id, name: view.name, frame, reason}
    await output.line(
      args.json === true
        ? JSON.stringify(told)
        : printable(`${view.name}: skipped frame ${frame}, because “${reason}”`),
    )
    return EXIT.ok
  })
}

/** `tidemark numbering`: which of the two goes on where a numbering began anew. */
export function decideNumbering(
  {decision, ...args}: DecideArguments & {readonly decision: 'take' | 'keep'},
  output: Output,
): Promise<number> {
  return withHeld(args, output, (client, view, frame) =>
    (decision === 'take' ? takeNumbering : keepNumbering)(client, view, {...args, frame}, output),
  )
}

interface DecidedFrame {
  readonly frame: number
  readonly json?: boolean
}

async function keepNumbering(
  client: Client,
  view: SourceView,
  {frame, json}: DecidedFrame,
  output: Output,
): Promise<number> {
  const asked = await client.request('sources.keepNumbering', {source: view.id, frame})
  if (!asked.ok) return complain(asked.error, output)
  return tellNumbering(view, await detailOf(client, frame), json, output)
}

/** It is taken once its first frame is handled, and not before. */
async function takeNumbering(
  client: Client,
  view: SourceView,
  {frame, json}: DecidedFrame,
  output: Output,
): Promise<number> {
  const before = await detailOf(client, frame)
  const n = Math.max(0, ...(before?.attempts ?? []).map((attempt) => attempt.n)) + 1
  const asked = await client.request('sources.takeNumbering', {source: view.id, frame})
  if (!asked.ok) return complain(asked.error, output)
  const done = await attemptDone(client, view.id, {frame, n})
  if (done !== undefined && WELL_SETTLED.has(done.detail.frame.outcome))
    return tellNumbering(view, done.detail, json, output)
  const why = done === undefined ? `${view.name} stopped before` : attemptText(done.detail, done.attempt)
  output.note(printable(`${why}. The new numbering is not taken before its first frame is handled.`))
  return EXIT.failed
}

async function tellNumbering(
  {id: source, name}: SourceView,
  detail: FrameDetail | undefined,
  json: boolean | undefined,
  output: Output,
): Promise<number> {
  const numbering = detail?.frame.numbering
  if (detail === undefined || numbering === undefined) {
    output.note(printable(`${name}: what came of it is not known: look at its state.`))
    return EXIT.failed
  }
  const told = {fact: 'numbering', source, name, frame: detail.frame.id, ...numbering}
  const words = `${name}: ${sayNumbering(numbering)} (frame ${detail.frame.id})`
  await output.line(json === true ? JSON.stringify(told) : printable(words))
  return EXIT.ok
}

/** An engine begun for this command needs a moment to find what holds a source. It is looked at this often at most. */
const LOOKS = 100

async function begun(client: Client, view: SourceView): Promise<SourceView> {
  let now = view
  for (let looks = 0; looks < LOOKS && isBeginning(now); looks++) {
    await pause(LOOK_MS)
    const list = await client.request('sources.list', {})
    now = (list.ok ? list.value.find(({id}) => id === view.id) : undefined) ?? now
  }
  return now
}

function isBeginning({connection: {state, because}}: SourceView): boolean {
  return state === 'connecting' || (state === 'stopped' && because?.kind === 'notStarted')
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
