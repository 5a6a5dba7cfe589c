import type {FrameDetail, Parsed} from '../../shared/contract/contract.ts'
import type {HandlerRunRow} from '../../shared/contract/rows.ts'
import type {Frame} from '../../shared/frames/frame.ts'
import type {Place} from '../../shared/frames/place-of-frame.ts'
import type {ChosenOutcome} from '../../shared/handlers/handler.ts'
import type {FrameId, JournaledFrame} from '../../shared/history/fact.ts'
import type {Clock} from './clock.ts'
import {type RunHandler, runWithDeadline} from './handlers/handler-callbacks.ts'
import {RefusedRequest} from './serve.ts'
import type {SourceRun} from './source-run.ts'
import type {StoreReader} from './store/store.ts'
import {understandJournaled} from './understand-journaled.ts'

export interface TryHandlerDeps {
  readonly read: StoreReader
  readonly run: RunHandler
  readonly clock: Clock
  /** The engine closes. */
  readonly closing: AbortSignal
}

/**
 * Runs one handler on a frame of the past, for real, and only this: no attempt is recorded, nothing moves, and the handler is
 * told that it is a test. The frame need not be one that its rule chooses.
 */
export async function tryHandler(
  source: SourceRun,
  {frame: id, handler, secret}: Omit<Parsed<'handlers.test'>, 'source'>,
  deps: TryHandlerDeps,
): Promise<HandlerRunRow> {
  const detail = await deps.read.frameDetail(id as FrameId) // a plain number on the wire
  if (detail === undefined || detail.frame.source !== source.record.id)
    throw new RefusedRequest('noSuchFrame', String(id))
  const frame = await frameOf(source, id as FrameId, detail, deps.read)
  const place = {lane: detail.frame.lane, sequence: detail.frame.sequence} as Place // the store writes them from places
  const call = {
    source: {id: source.record.id, name: source.record.name},
    callback: frame.kind === 'gap' ? 'onGap' : 'onEvent',
    frame,
    place: detail.frame.lane === undefined ? {} : place,
    receivedAt: detail.frame.receivedAt as JournaledFrame['receivedAt'], // likewise
    outcome: outcomeOf(frame, detail),
    attempt: 1,
    key: `test/${deps.clock.uuid()}`,
    isTest: true,
  } as const
  return runWithDeadline(handler, call, deps, deps.closing, secret)
}

async function frameOf({record}: SourceRun, id: FrameId, {withheld}: FrameDetail, read: StoreReader): Promise<Frame> {
  if (withheld) throw new RefusedRequest('cannotTry', 'the bytes of this frame were not kept')
  const journaled = await read.journaled(id)
  const frame = journaled === undefined ? undefined : understandJournaled(journaled, record.settings)?.frame
  if (frame === undefined || frame.kind === 'control' || frame.kind === 'snapshot')
    throw new RefusedRequest('cannotTry', 'no handler ever runs for such a frame')
  return frame
}

function outcomeOf(frame: Frame, {gap, frame: row}: FrameDetail): ChosenOutcome {
  if (row.outcome === 'discarded') return 'discarded'
  if (frame.kind !== 'gap') return 'handled'
  return gap?.outcome === 'ownReplaced' || gap?.outcome === 'unmoved' ? gap.outcome : 'replaced'
}
