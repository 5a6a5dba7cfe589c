import {assertNever} from '../../shared/base/assert-never.ts'
import type {Gate, TimedStep} from './scenario.ts'

/** How long `reopened` waits for a client that does not close what it should: a plain reader. In ms of the scenario. */
const REOPEN_PATIENCE_MS = 20_000

/** What the gates of a scenario are told by its server. */
export interface PlayStatus {
  /** Streams attached, half-open ones not counted. */
  readonly attached: number
  /** Every one of those has been sent all there is. */
  readonly caughtUp: boolean
  /** Streams ever opened. */
  readonly opens: number
}

/** Where in its steps a scenario stands. */
export interface Play<A> {
  /** The action of the step that is due, if one is. It stays due until `done`. */
  readonly next: (now: number, status: PlayStatus) => A | undefined
  readonly done: (status: PlayStatus) => void
  /** When the next step is due if nothing changes; infinity while its gate is shut. */
  readonly nextDue: (now: number, status: PlayStatus) => number
}

/** Steps of any server, and from which of them on they repeat. */
export interface Script<A> {
  readonly steps: readonly TimedStep<A>[]
  readonly loopFrom?: number
}

export function createPlay<A>(scenario: Script<A>, speed: number): Play<A> {
  let index = 0
  /** When the gate of the step at hand opened, while it is open. */
  let openSince: number | undefined
  /** When somebody was there after the last step, for `reopened`. */
  let waitingSince: number | undefined
  let opensAtLastStep = 0

  const dueAt = (now: number, status: PlayStatus): number => {
    const step = scenario.steps[index]
    if (step === undefined) return Number.POSITIVE_INFINITY
    waitingSince ??= now
    const patient = now - waitingSince < REOPEN_PATIENCE_MS / speed
    const open = isOpen(step.when ?? 'attached', status, !patient || status.opens > opensAtLastStep)
    openSince = open ? (openSince ?? now) : undefined
    if (openSince !== undefined) return openSince + step.afterMs / speed
    return step.when === 'reopened' && status.attached > 0
      ? waitingSince + REOPEN_PATIENCE_MS / speed
      : Number.POSITIVE_INFINITY
  }

  return {
    nextDue: dueAt,
    next: (now, status) =>
      dueAt(now, status) <= now && openSince !== undefined ? scenario.steps[index]?.do : undefined,
    done: (status) => {
      index++
      if (index >= scenario.steps.length && scenario.loopFrom !== undefined) index = scenario.loopFrom
      openSince = undefined
      waitingSince = undefined
      opensAtLastStep = status.opens
    },
  }
}

function isOpen(gate: Gate, {attached, caughtUp}: PlayStatus, reopened: boolean): boolean {
  switch (gate) {
    case 'attached':
      return attached > 0 && caughtUp
    case 'streaming':
      return attached > 0
    case 'reopened':
      return attached > 0 && caughtUp && reopened
    case 'away':
      return attached === 0
    case 'always':
      return true
    default:
      return assertNever(gate)
  }
}
