import {createPlay} from '../play.ts'
import {createDaemon, type Daemon} from './daemon.ts'
import type {DaemonSetup, Output} from './daemon-state.ts'

/** A daemon that plays a scenario: the daemon, and who acts in it and when. Without clock or socket, like the daemon. */
export type Stage = Omit<Daemon, 'nextDue'> & {readonly nextDue: (now: number) => number}

/** Acts that are due at one instant; more are a scenario that takes no time. */
const ACTS_AT_ONCE = 10_000

export function createStage(setup: DaemonSetup): Stage {
  const daemon = createDaemon(setup)
  const play = createPlay(setup.scenario, setup.speed ?? 1)

  const advance = (now: number): readonly Output[] => {
    const outputs: Output[] = []
    for (let acts = 0; acts < ACTS_AT_ONCE; acts++) {
      const action = play.next(now, daemon.status())
      if (action === undefined) return outputs
      outputs.push(...daemon.act(now, action))
      play.done(daemon.status())
    }
    throw new Error(`${setup.scenario.name} acts without end at one instant`)
  }

  return {
    ...daemon,
    tick: (now) => [...daemon.tick(now), ...advance(now)],
    nextDue: (now) => Math.min(daemon.nextDue(), play.nextDue(now, daemon.status())),
  }
}
