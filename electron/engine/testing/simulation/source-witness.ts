import type {Change} from '../../../../shared/history/change.ts'
import type {Gap, Move, Outcome} from '../../../../shared/history/fact.ts'
import type {StoredSource} from '../../store/store.ts'
import {areEqual, bringsVector, fold, inWords} from './fold.ts'
import type {Told, Vector} from './reading.ts'
import {createReceipts, type Receipt} from './receipts.ts'
import {createRuns, type Run} from './runs.ts'
import type {Verdict} from './verdict.ts'

export type SourceChange = Exclude<Change, {kind: 'openAttemptsAborted' | 'sourceAdded' | 'sourceChanged'}>

/** A frame that is durable. */
interface Kept {
  readonly id: number
  readonly told: Told
  readonly receipt: Receipt
  outcome: Outcome
  attempts: number
  attemptOpen: boolean
}

/** A frame that was settled, and the move that must stand behind it in the same transaction. */
interface Owed {
  readonly frame: number
  readonly cause: Move['cause']
  readonly leadsTo: Vector
  readonly from: Vector
}

/**
 * Watches the disk on behalf of one source, and holds it to the rules: from what the server sent, what the callbacks did and
 * what the user asked for it works out itself where the source must stand. It knows nothing of how the engine does it.
 */
export interface SourceWitness {
  readonly opened: (from: number | 'head') => void
  readonly lifeOver: () => void
  /** The engine took this block from its stream. */
  readonly received: (block: string) => void
  /** The engine asks for these to be written. */
  readonly asked: (changes: readonly SourceChange[]) => void
  /** These are on the disk now. */
  readonly durable: (changes: readonly SourceChange[]) => void
  readonly abortedOpen: () => void
  readonly began: (key: string, attempt: number) => Run
  readonly userSkips: (frame: number) => void
  readonly checkLoaded: (stored: StoredSource) => void
  readonly position: () => Vector
  readonly vectorSeen: () => boolean
  readonly unhandled: () => number
  /** Events of this label that were handled. */
  readonly handled: (label: string) => number
}

const CAUSES: Partial<Record<Outcome, Move['cause']>> = {discarded: 'discarded', skipped: 'skipped'}

export function createSourceWitness(name: string, hasCallbacks: boolean, verdict: Verdict): SourceWitness {
  const receipts = createReceipts()
  const runs = createRuns()
  const kept = new Map<number, Kept>()
  const unhandled = new Map<number, Kept>()
  const maySkip = new Set<number>()
  const handledLabels = new Map<string, number>()
  let position: Vector = new Map()
  let vectorSeen = false
  let owed: Owed | undefined
  let vectorOwed = false

  const broken = (rule: Parameters<Verdict['broken']>[0], detail: string): void =>
    verdict.broken(rule, `${name}: ${detail}`)

  function journaled({frame, outcome, attempt}: Extract<Change, {kind: 'frameJournaled'}>): void {
    const next = receipts.next()
    const text = Buffer.from(frame.bytes).toString('utf8').trim()
    const fits = next !== undefined && (next.told.isSecret ? text === '' : text === next.told.text.trim())
    if (next === undefined || !fits || kept.has(frame.id))
      return broken('a frame is durable that was not received, or not in order', `${frame.id}: ${text.slice(0, 200)}`)
    // What the journal brought and handled meanwhile, and the server sends after all, is a later delivery of it too.
    // One that waits, or one that the journal brought already before the server sent it after all.
    const before = frame.redelivers === undefined ? undefined : kept.get(frame.redelivers)
    if (frame.redelivers !== undefined) unhandled.delete(frame.redelivers)
    if (frame.redelivers !== undefined && before?.told.text !== next.told.text)
      broken('a frame is durable that was not received, or not in order', `${frame.id} is no redelivery`)
    const attempts = before?.attempts ?? 0
    const one: Kept = {id: frame.id, told: next.told, receipt: next, outcome, attempts, attemptOpen: false}
    kept.set(frame.id, one)
    vectorOwed ||= !vectorSeen && bringsVector(next.told.meaning)
    if (outcome === 'pending') unhandled.set(frame.id, one)
    if (!outcomesOf(next.told).includes(outcome))
      broken('a frame came to another outcome than its kind allows', `${frame.id} ${outcome} attempt ${attempt}`)
    if (outcome !== 'pending') settle(one, outcome)
  }

  function outcomesOf({meaning}: Told): readonly Outcome[] {
    if (meaning.kind === 'event' || meaning.kind === 'gap') return hasCallbacks ? ['pending'] : ['handled']
    return meaning.kind === 'unknown' ? ['discarded'] : [meaning.kind]
  }

  function settled({frame, outcome, attempt}: Extract<Change, {kind: 'frameSettled'}>): void {
    const one = kept.get(frame)
    if (one === undefined) return broken('a frame is durable that was not received, or not in order', `${frame}`)
    if (outcome === 'skipped' && !maySkip.has(frame)) broken('a frame was skipped that no user skipped', `${frame}`)
    const callable = one.told.meaning.kind === 'event' || one.told.meaning.kind === 'gap'
    if (outcome === 'handled' && !(callable && unhandled.has(frame)))
      broken('a frame came to another outcome than its kind allows', `${frame} ${outcome} attempt ${attempt}`)
    one.outcome = outcome
    settle(one, outcome)
  }

  function settle(one: Kept, outcome: Outcome): void {
    if (outcome === 'control' || outcome === 'malformed' || outcome === 'rejected') return
    const {told, receipt} = one
    payMove()
    unhandled.delete(one.id)
    // A malformed one that the user skips moves nothing: it passes nothing, whatever waits.
    if (told.meaning.kind !== 'malformed') for (const other of unhandled.values()) passed(one, `unhandled ${other.id}`)
    const leadsTo = fold(position, vectorSeen, told.meaning)
    const movesOwn = leadsTo.get('s') !== position.get('s')
    const missed = receipts.settle(receipt, {bySkip: outcome === 'skipped', movesOwn})
    if (missed !== undefined) passed(one, `received ${missed.text.slice(0, 120)}`)
    runs.settle(told.key)
    const label = /"(?:message_id|task_id)":"\$?([^."]*)\./.exec(told.text)?.[1]
    if (label !== undefined) handledLabels.set(label, (handledLabels.get(label) ?? 0) + 1)
    const cause = CAUSES[outcome] ?? (told.meaning.kind === 'gap' ? 'gapReplaced' : 'handled')
    if (outcome === 'skipped' || !areEqual(leadsTo, position)) owed = {frame: one.id, cause, leadsTo, from: position}
  }

  function passed(one: Kept, what: string): void {
    broken('the cursor passed a frame that was received and not handled', `by ${one.id}: ${what}`)
  }

  function payMove(): void {
    if (owed !== undefined) broken('a handled frame is durable without its move', `${owed.frame}`)
    owed = undefined
  }

  function moved({frame, cause, steps, reason}: Move): void {
    const due = owed
    owed = undefined
    if (
      due === undefined ||
      frame !== due.frame ||
      cause !== due.cause ||
      (cause === 'skipped') !== (reason !== undefined)
    )
      return broken('a move has no cause', `${frame} ${cause}`)
    const to = new Map(position)
    for (const {key, before, after} of steps) {
      if (to.get(key) !== before || before === after)
        broken('the steps of a move do not connect', `${frame} ${key}: ${before} to ${after}, held ${to.get(key)}`)
      if (after === undefined) to.delete(key)
      else to.set(key, after)
    }
    if (!areEqual(to, due.leadsTo))
      broken(
        'the position is not what the handled frames add up to',
        `${frame}: ${inWords(to)} for ${inWords(due.leadsTo)}`,
      )
    position = to
  }

  function ledger(gap: Gap): void {
    const one = kept.get(gap.frame)
    const isApplied = gap.appliedAt !== undefined
    const before = isApplied ? (lastMove?.frame === gap.frame ? lastMove.from : position) : position
    const after = one?.told.meaning.kind === 'gap' ? fold(before, vectorSeen, one.told.meaning) : before
    const back = [...before].flatMap(([key, was]) => ((after.get(key) ?? was) < was ? [key] : [])).sort()
    const gone = [...before.keys()].filter((key) => !after.has(key)).sort()
    const fits =
      areEqual(gap.before, before) &&
      areEqual(gap.after, after) &&
      String(gap.wentBack) === String(back) &&
      String(gap.removed) === String(gone)
    if (one === undefined || !fits)
      broken('a gap stands in the ledger with another position than was held', `${gap.frame} ${gap.outcome}`)
  }

  let lastMove: Owed | undefined
  function take(change: SourceChange): void {
    switch (change.kind) {
      case 'frameJournaled':
        return journaled(change)
      case 'frameSettled':
        return settled(change)
      case 'cursorMoved':
        lastMove = owed
        return moved(change.move)
      case 'vectorSeen':
        if (!vectorOwed) broken('that a vector was seen was forgotten', 'it is written where none came, or again')
        vectorSeen = true
        vectorOwed = false
        return
      case 'gapRecorded':
        return ledger(change.gap)
      case 'attemptStarted':
      case 'attemptEnded':
        return attempted(change.attempt.frame, change.attempt.n, change.kind === 'attemptStarted')
      default:
        return
    }
  }

  function attempted(frame: number, n: number, starts: boolean): void {
    const one = kept.get(frame)
    const before = one?.attempts ?? 0
    if (one === undefined || n !== (starts ? before + 1 : before))
      return broken('attempts were not counted on', `${frame}: ${n} after ${before}`)
    one.attempts = n
    one.attemptOpen = starts
  }

  return {
    opened: (from) =>
      receipts.opened(
        from,
        [...unhandled.values()].some(({told}) => told.meaning.kind === 'gap'),
      ),
    lifeOver: receipts.lifeOver,
    received: receipts.received,
    asked(changes) {
      for (const change of changes) {
        if (change.kind !== 'frameSettled' || change.outcome !== 'handled' || !hasCallbacks) continue
        const one = kept.get(change.frame)
        if (one !== undefined && runs.state(one.told.key, change.attempt) !== 'resolved')
          broken('a frame was handled before its callback resolved', `${change.frame} attempt ${change.attempt}`)
      }
    },
    durable(changes) {
      lastMove = undefined
      for (const change of changes) take(change)
      payMove()
      if (vectorOwed) broken('that a vector was seen was forgotten', 'a frame with a vector is durable without it')
    },
    abortedOpen: () => {
      for (const one of kept.values()) one.attemptOpen = false
    },
    began(key, attempt) {
      const one = [...unhandled.values()].find(({told}) => told.key === key)
      if (one === undefined || one.attempts !== attempt || !one.attemptOpen)
        broken('a callback began before its frame and attempt were durable', `attempt ${attempt} of ${key}`)
      if (runs.count(key) > 0 && attempt < 2) broken('a second effect was called the first attempt', key)
      return runs.begin(key, attempt)
    },
    userSkips: (frame) => void maySkip.add(frame),
    checkLoaded(stored) {
      const expected = [...unhandled.values()].map(({id, attempts}) => `${id} after ${attempts}`)
      const loaded = stored.unhandled.map(({frame, attempts}) => `${frame.id} after ${attempts}`)
      const fits = areEqual(stored.position, position) && stored.vectorSeen === vectorSeen
      if (!fits || String(loaded) !== String(expected))
        broken('what was loaded is not what is durable', `${loaded} for ${expected}, ${inWords(stored.position)}`)
    },
    position: () => position,
    vectorSeen: () => vectorSeen,
    unhandled: () => unhandled.size,
    handled: (label) => handledLabels.get(label) ?? 0,
  }
}
