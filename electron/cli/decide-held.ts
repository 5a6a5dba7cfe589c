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
  return withEngine(args, output, async (client, found) => {
    const view = await begun(client, found)
    const frame = heldAt(view)
    if (frame === undefined) return notHeld(view, output)
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

/** Stale is what the user's word made of the first frame of a numbering that was not taken. */
const WELL_SETTLED: ReadonlySet<FrameDetail['frame']['outcome']> = new Set(['handled', 'discarded', 'stale'])

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
  return withEngine(args, output, async (client, found) => {
    const view = await begun(client, found)
    const frame = heldAt(view)
    if (frame === undefined) return notHeld(view, output)
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
