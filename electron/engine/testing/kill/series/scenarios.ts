import type {Scenario} from '../../../../demo/scenario.ts'
import {finalPosition} from '../../../../demo/testing/final-numbers.ts'
import type {KeptProfile} from '../check-profile.ts'
import type {Autopsy} from '../patient.ts'
import {type Passed, textOfPosition} from '../point.ts'
import type {Ward} from '../ward.ts'

/*
 * Every scenario of the demo to its end, with its own callbacks, and a death between any two frames: as soon as something new was
 * settled. What nothing follows is killed once it is quiet, so that a server that fell silent is left, as time would.
 */

const SPEED = 20
/** In ms. Longer than anything but silence takes. */
const QUIET_MS = 2_500
/** More lives than any scenario has frames. */
const MOST_LIVES = 80
/** A stream that ends again and again without a frame. */
const MOST_OPENS = 4

/** The scenarios that may end otherwise than in everything being handled: a dead client is not there to be told off. */
const ENDS: Readonly<Record<string, (kept: KeptProfile) => boolean>> = {
  tour: ({own, gaps}) => own >= 5 && own < 18 && gaps.length > 0,
  steady: ({own}) => own >= 9,
  'poison-frame': isHeldOrStopped,
  takeover: isHeldOrStopped,
  'takeover-r1': isHeldOrStopped,
  unauthorized: isHeldOrStopped,
  revoked: isHeldOrStopped,
}
/** The scenarios in which nothing ever comes to an end: they are left after so many lives. */
const LIVES: Readonly<Record<string, number>> = {'instant-close': 5, 'malformed-always': 8}

export async function killBetweenFrames(ward: Ward, scenario: Scenario): Promise<void> {
  const {name} = scenario
  const work = {kind: 'scenario', name, speed: SPEED} as const
  const patient = await ward.admit({scenario: shortened(scenario), plan: {work, waits: 'engine'}, speed: SPEED})
  const seen = new Set<string>()
  let over = false
  for (let lives = 1; !over; lives++) {
    const atMost = 1 + Math.floor(ward.dice() * stride(scenario))
    const autopsy = await patient.live({at: isNews(seen, atMost), quietMs: QUIET_MS})
    over =
      lives >= (LIVES[name] ?? MOST_LIVES) ||
      (autopsy.kept !== undefined && isOver(scenario, autopsy.kept, autopsy.life.quiet))
    const late = lives >= MOST_LIVES ? [`${name} did not come to its end: ${whereItIs(autopsy)}`] : []
    ward.note(`scenario ${name}: ${autopsy.life.quiet ? 'nothing more came' : 'between two frames'}`, autopsy, late)
  }
}

/** Several frames a life where there are many. */
function stride({steps}: Scenario): number {
  return steps.some((step) => step.do.kind === 'burst' && step.do.count > 9) ? 8 : 1
}

/** Something that never came to anything before: so many of them in this life. Or nothing to wait for any more. */
function isNews(seen: Set<string>, enough: number): (passed: Passed, soFar: readonly Passed[]) => boolean {
  let news = 0
  return ({point, frames, outcomes = [], state}, soFar) => {
    if (point === 'settled')
      for (const [n, frame] of frames.entries()) {
        const key = `${outcomes[n]} ${frame}`
        if (outcomes[n] !== 'control' && (outcomes[n] === 'rejected' || !seen.has(key))) news += 1
        seen.add(key)
      }
    if (news >= enough) return true
    if (point === 'state' && state === 'held') return true
    return soFar.filter((one) => one.point === 'opening').length >= MOST_OPENS
  }
}

function isOver(scenario: Scenario, kept: KeptProfile, quiet: boolean): boolean {
  if (ENDS[scenario.name]?.(kept) === true) return true
  const falls = scenario.steps.some((step) => step.do.kind === 'gap' || step.do.kind === 'restart')
  const there = kept.reached.at(-1) === textOfPosition(finalPosition(shortened(scenario)))
  // Of the first revision nobody tells who comes back late that it counts anew: its old number is then one of the new ones.
  const untold = scenario.revision === 'r1' && quiet
  return there && kept.source?.unhandled.length === 0 && (kept.gaps.length > 0 || !falls || untold)
}

function isHeldOrStopped({source}: KeptProfile): boolean {
  const state = source?.lastConnection?.state
  return state?.kind === 'held' || (state?.kind === 'stopped' && state.because.kind !== 'notStarted')
}

function whereItIs({kept}: Autopsy): string {
  return `${kept?.reached.at(-1)}, ${JSON.stringify(kept?.source?.lastConnection?.state)}`
}

/** Each callback takes syncs of its own, of which a busy disk makes few a second. */
function shortened(scenario: Scenario): Scenario {
  const steps = scenario.steps.map((step) =>
    step.do.kind === 'burst' ? {...step, do: {...step.do, count: Math.min(step.do.count, 40)}} : step,
  )
  return {...scenario, steps}
}
