import type {Mortal} from './mortal.ts'
import type {Relay, Strike} from './relay.ts'

/** A server that dies too: behind a relay, and started again as often as it was killed. */
export interface KilledServer {
  /** How often it died. */
  readonly deaths: () => number
  /** It dies when so much has passed to whoever watches. The next one begins at once. */
  readonly dieAt: (strike: Strike) => void
  readonly act: (action: object) => void
  /** Killed now; the next one is there when this resolves. `meanwhile`: while none is. */
  readonly kill: (meanwhile?: () => void) => Promise<void>
  /** From now on nobody is there. */
  readonly leave: () => Promise<void>
  readonly close: () => Promise<void>
}

/** @param at - which of the places where it listens each relay leads to */
export async function keepAlive(
  start: () => Promise<Mortal>,
  relays: readonly {readonly relay: Relay; readonly at: number}[],
): Promise<KilledServer> {
  let mortal = await start()
  let deaths = 0
  let turn: Promise<void> = Promise.resolve()
  const lead = (): void => {
    for (const {relay, at} of relays) relay.lead(mortal.listening.at[at])
  }
  const cut = (): void => {
    for (const {relay} of relays) relay.lead(undefined)
  }
  const again = async (meanwhile: () => void): Promise<void> => {
    await mortal.kill()
    cut()
    deaths += 1
    meanwhile()
    mortal = await start()
    lead()
  }
  const kill = (meanwhile = (): void => {}): Promise<void> => {
    turn = turn.then(() => again(meanwhile))
    return turn
  }
  lead()
  return {
    deaths: () => deaths,
    dieAt: (strike) => relays[0]?.relay.strike(strike, () => void kill()),
    act: (action) => mortal.act(action),
    kill,
    async leave() {
      await turn
      cut()
    },
    async close() {
      await turn
      await mortal.kill()
      for (const {relay} of relays) relay.close()
    },
  }
}
