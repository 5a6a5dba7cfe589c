import type {JsonObject} from '../base/json.ts'
import type {EpochMs} from '../base/units.ts'
import type {Frame} from '../frames/frame.ts'
import type {Place} from '../frames/place-of-frame.ts'
import type {ChosenOutcome} from './handler.ts'

/** What a handler is run for: one frame, and how often that was tried. */
export interface HandlerCall {
  readonly source: {readonly id: string; readonly name: string}
  readonly callback: 'onEvent' | 'onGap'
  readonly frame: Frame
  readonly place: Place
  readonly receivedAt: EpochMs
  /** What the frame comes to once its handlers resolved. */
  readonly outcome: ChosenOutcome
  /** Above 1 the effect of an earlier run may already stand. */
  readonly attempt: number
  readonly key: string
  /** The user tries it on a past frame: nothing moves, whatever comes of it. */
  readonly isTest: boolean
}

/** Grows when a field changes its meaning or its name. */
const INPUT_VERSION = 2

/** What a command reads on standard input, and a webhook as its body: one line of JSON. What the server sent stands in `data`, as sent. */
export function handlerInput(call: HandlerCall): JsonObject {
  const {source, callback, frame, place, receivedAt, outcome, attempt, key, isTest} = call
  return {
    version: INPUT_VERSION,
    source,
    callback,
    attempt,
    mayHaveRunBefore: attempt > 1,
    idempotencyKey: key,
    ...(isTest ? {test: true} : {}),
    kind: frame.kind,
    event: frame.event,
    ...(frame.kind === 'event' ? {type: frame.type} : {}),
    ...(place.lane === undefined ? {} : {coordinate: place.lane}),
    ...(place.sequence === undefined ? {} : {sequence: place.sequence}),
    receivedAt,
    // Nothing is handled yet: this is what it comes to if the handlers resolve.
    comesTo: outcome,
    data: frame.data,
  }
}
