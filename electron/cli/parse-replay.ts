import {present} from '../../shared/base/present.ts'
import {err, ok, type Result} from '../../shared/base/result.ts'
import {ID_FORMS} from '../../shared/cursor/cursor-id.ts'
import type {Position} from '../../shared/position/position.ts'
import type {NumberedShape} from '../../shared/source/numbered.ts'
import type {NumberedReplayOptions} from '../engine/replay/replay-numbered.ts'
import {
  parseChunks,
  parseNumberedStart,
  parsePrimeStart,
  parseReplayCallback,
  parseStart,
  type ReplayCallback,
} from '../engine/replay/replay-options.ts'
import type {PrimeReplayOptions} from '../engine/replay/replay-prime.ts'

export interface ReplayArguments {
  readonly file: string
  readonly protocol: string
  readonly start?: string
  readonly chunks?: string
  readonly onEvent?: string
  readonly onGap?: string
  readonly strict?: boolean
  readonly json?: boolean
  readonly profile?: string
  readonly format?: string
  readonly cursorAt?: string
  readonly cursorId?: string
  readonly typeAt?: string
  readonly onReset?: string
}

export type Wanted = WantedSwitch | WantedPrime | WantedNumbered

interface WantedPrime extends PrimeReplayOptions {
  readonly protocol: 'prime'
}

interface WantedNumbered extends NumberedReplayOptions {
  readonly protocol: 'numbered'
}

interface WantedSwitch {
  readonly protocol: 'switch'
  readonly start?: Position
  readonly chunks?: readonly number[]
  readonly onEvent: ReplayCallback
  readonly onGap: ReplayCallback
}

/** What is asked for, or why that is no question. */
export function parseReplay(args: ReplayArguments): Result<Wanted, string> {
  const {protocol} = args
  if (protocol !== 'switch' && protocol !== 'prime' && protocol !== 'numbered')
    return err('--protocol is switch, prime or numbered')
  const chunks = given(args.chunks, parseChunks)
  if (!chunks.ok) return chunks
  const cutting = chunks.value === undefined ? {} : {chunks: chunks.value}
  const wrong = protocol === 'numbered' ? undefined : numberedOption(args)
  if (wrong !== undefined) return err(`${wrong} is of numbered streams`)
  const wanted = {switch: parseSwitch, prime: parsePrime, numbered: parseNumbered}[protocol](args)
  return wanted.ok ? ok({...wanted.value, ...cutting}) : wanted
}

function parsePrime(args: ReplayArguments): Result<WantedPrime, string> {
  if (args.onEvent !== undefined || args.onGap !== undefined)
    return err('--on-event and --on-gap are of the Switch protocol: a Prime stream has no callbacks to reject')
  if (args.profile !== undefined)
    return err('a Prime stream is not kept in a profile by this version: leave out --profile')
  const start = given(args.start, parsePrimeStart)
  if (!start.ok) return start
  return ok({protocol: 'prime', ...(start.value === undefined ? {} : {start: start.value})})
}

/** The form of a source begins with the same. */
const USUAL_PLACE = {cursorAt: 'cursor', typeAt: 'type'}

function numberedOption({format, cursorAt, cursorId, typeAt, onReset}: ReplayArguments): string | undefined {
  const given = {
    '--format': format,
    '--cursor-at': cursorAt,
    '--cursor-id': cursorId,
    '--type-at': typeAt,
    '--on-reset': onReset,
  }
  return Object.entries(given).find(([, value]) => value !== undefined)?.[0]
}

function parseNumbered(args: ReplayArguments): Result<WantedNumbered, string> {
  if (args.onEvent !== undefined || args.onGap !== undefined)
    return err('--on-event and --on-gap are of the Switch protocol')
  if (args.profile !== undefined)
    return err('a numbered stream is not kept in a profile by this version: leave out --profile')
  const shape = parseShape(args)
  if (!shape.ok) return shape
  const {onReset = 'keep'} = args
  if (onReset !== 'keep' && onReset !== 'take') return err('--on-reset is keep or take')
  const start = given(args.start, parseNumberedStart)
  if (!start.ok) return start
  return ok({protocol: 'numbered', shape: shape.value, onReset, ...present({start: start.value})})
}

function parseShape({
  format,
  cursorAt,
  cursorId,
  typeAt = USUAL_PLACE.typeAt,
}: ReplayArguments): Result<NumberedShape, string> {
  if (format !== undefined && format !== 'lines' && format !== 'sse') return err('--format is lines or sse')
  if (cursorId === undefined)
    return ok({over: format === 'sse' ? 'sse' : 'file', cursorAt: cursorAt ?? USUAL_PLACE.cursorAt, typeAt})
  const id = ID_FORMS.find((form) => form === cursorId)
  if (id === undefined) return err(`--cursor-id is one of ${ID_FORMS.join(', ')}`)
  if (cursorAt !== undefined) return err('a cursor stands either --cursor-at members or in the --cursor-id')
  return format === 'lines' ? err('only events have an id: --format sse') : ok({over: 'sse', cursorAt: {id}, typeAt})
}

function parseSwitch(args: ReplayArguments): Result<WantedSwitch, string> {
  const start = given(args.start, parseStart)
  if (!start.ok) return start
  const onEvent = parseReplayCallback(args.onEvent ?? 'ok')
  if (!onEvent.ok) return onEvent
  const onGap = parseReplayCallback(args.onGap ?? 'ok')
  if (!onGap.ok) return onGap
  const hypothetical = onEvent.value !== 'ok' || onGap.value !== 'ok'
  if (hypothetical && args.profile !== undefined)
    return err('a hypothetical result is not kept: leave out --profile or the rejecting option')
  const callbacks = {onEvent: onEvent.value, onGap: onGap.value}
  return ok({protocol: 'switch', ...callbacks, ...(start.value === undefined ? {} : {start: start.value})})
}

/** An option that may have been left out. */
function given<T>(text: string | undefined, read: (text: string) => Result<T, string>): Result<T | undefined, string> {
  return text === undefined ? ok(undefined) : read(text)
}
