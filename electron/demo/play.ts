import {assertNever} from '../../shared/base/assert-never.ts'
import type {BridgeStatus} from './bridge.ts'
import type {Action, Gate, Scenario} from './scenario.ts'

/** How long `reopened` waits for a client that does not close what it should: a plain reader. In ms of the scenario. */
const REOPEN_PATIENCE_MS = 20_000

/** Where in its steps a scenario stands. */
export interface Play {
  /** The action of the step that is due, if one is. It stays due until `done`. */
  readonly next: (now: number, status: BridgeStatus) => Action | undefined
  readonly done: (status: BridgeStatus) => void
  /** When the next step is due if nothing changes; infinity while its gate is shut. */
  readonly nextDue: (now: number, status: BridgeStatus) => number
}

export function createPlay(scenario: Scenario, speed: number): Play {
  let index = 0
  /** When the gate of the step at hand opened, while it is open. */
  let openSince: number | undefined
  /** When somebody was there after the last step, for `reopened`. */
  let waitingSince: number | undefined
  let opensAtLastStep = 0

  const dueAt = (now: number, status: BridgeStatus): number => {
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

function isOpen(gate: Gate, {attached, caughtUp}: BridgeStatus, reopened: boolean): boolean {
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
