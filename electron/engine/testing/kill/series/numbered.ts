import type {Autopsy} from '../patient.ts'
import {type ChildPlan, FRAME_POINTS, type Passed, textOfPosition} from '../point.ts'
import type {Death} from '../run-child.ts'
import {type NumberedServer, type Over, startNumbered} from '../servers/numbered.ts'
import type {Ward} from '../ward.ts'
import {nth, WORDS} from './frames.ts'
import {handleRest} from './rest.ts'

/* A numbered stream, over all that it comes by: whoever watches it is killed, and its server too, with its store or without. */

export async function killAroundNumbered(ward: Ward, over: Over): Promise<void> {
  const server = await startNumbered(over)
  const patient = await ward.admit({server, plan: {work: {kind: 'effect'}, waits: 'engine'}})
  let counted = 0
  for (let round = 0; round < ward.rounds; round++)
    for (const point of FRAME_POINTS) {
      if (ward.dice() < 0.5) await killServer(ward, server, over)
      const n = point === 'received' ? 1 : 1 + Math.floor(ward.dice() * 6)
      ward.note(`numbered over ${over}: ${WORDS[point]}`, await patient.live({at: nth(point, n)}))
      for (; counted < server.deaths(); counted++)
        ward.note(`the server of a numbered stream over ${over}`, {violations: []})
    }
  await handleRest(ward, patient, server, `numbered over ${over}`)
}

/** At any place of what it sends; one that only writes a file dies at once. */
async function killServer({dice}: Ward, server: NumberedServer, over: Over): Promise<void> {
  if (over === 'file') await server.kill()
  else server.dieAt({lines: Math.floor(dice() * 12), into: dice()})
}

/**
 * The server's numbers begin anew, below what is held: the user is asked, as often as it takes, and nothing moves before the
 * answer is handled.
 */
export async function killAroundLostStore(ward: Ward): Promise<void> {
  const server = await startNumbered('socket')
  const patient = await ward.admit({server, plan: {work: {kind: 'effect'}, waits: 'engine'}})
  for (let round = 0; round < ward.rounds; round++) {
    ward.note('numbered, store kept: after the commit', await patient.live({at: nth('settled', 6)}))
    await server.loseStore()
    ward.note('the server of a numbered stream, its store lost', {violations: []})
    // What was journaled of the old numbering is handled before anything is asked of the new one.
    let old = await patient.live({at: ({point}) => point === 'journaling'})
    const waiting = old.kept?.source?.unhandled.length ?? 0
    ward.note('numbering begun anew: before it is journaled', old, waiting === 0 ? [] : [`${waiting} still wait`])
    const live = async (step: string, at: NonNullable<Death['at']>, decides?: Decision): Promise<void> => {
      const autopsy = await patient.live({at}, decides === undefined ? {} : {decides})
      ward.note(`numbering begun anew: ${step}`, autopsy, [...moved(old, autopsy), ...undecidedIn(old, autopsy)])
    }
    await live('held for the user', ({state}) => state === 'held')
    await live('kept, before the commit', ({point, outcomes}) => point === 'settling' && isStale(outcomes), 'keep')
    const kept = await patient.live(
      {at: ({point, outcomes}) => point === 'settled' && isStale(outcomes)},
      {decides: 'keep'},
    )
    ward.note('numbering begun anew: kept, after the commit', kept, [
      ...moved(old, kept),
      ...more(old, kept, 'numberingKept'),
    ])
    old = kept
    await live('kept, and held for the user again', ({state}) => state === 'held')
    await live('taken, before its callback', ({point}) => point === 'begun', 'take')
    await live('taken, during its callback', ({point}) => point === 'effect', 'take')
    await live('taken, between its callback and the commit', ({point}) => point === 'settling', 'take')
    const taken = await patient.live({at: nth('settled', 1)}, {decides: 'take'})
    const stayed = textOf(taken) === textOf(old) ? ['the numbering was taken, and the cursor stayed'] : []
    ward.note('numbering begun anew: taken, after the commit', taken, [
      ...stayed,
      ...more(old, taken, 'numberingTaken'),
    ])
  }
}

type Decision = NonNullable<ChildPlan['decides']>
type Word = 'numberingTaken' | 'numberingKept'

function isStale(outcomes: Passed['outcomes']): boolean {
  return outcomes?.includes('stale') === true
}

/** A click that is not on the disk is none. */
function undecidedIn(old: Autopsy, now: Autopsy): readonly string[] {
  const words = ['numberingTaken', 'numberingKept'] as const
  return words.flatMap((word) => (said(now, word) === said(old, word) ? [] : [`${word}, and nothing was committed`]))
}

function more(old: Autopsy, now: Autopsy, word: Word): readonly string[] {
  return said(now, word) === said(old, word) + 1 ? [] : [`${word}, and it is not said once more`]
}

function said({kept}: Autopsy, word: Word): number {
  return kept?.moves.filter(({cause}) => cause === word).length ?? 0
}

function moved(old: Autopsy, now: Autopsy): readonly string[] {
  return textOf(old) === textOf(now) ? [] : [`nothing was taken, and ${textOf(old)} became ${textOf(now)}`]
}

function textOf({kept}: Autopsy): string {
  return textOfPosition(kept?.source?.position ?? [])
}
