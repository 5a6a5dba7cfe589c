import type {Change} from '../../../../shared/history/change.ts'
import type {Move} from '../../../../shared/history/fact.ts'
import {areEqual, inWords} from './fold.ts'
import type {Vector} from './reading.ts'
import type {Rule} from './verdict.ts'

/** Numbers that were not seen, up to this one. */
export interface Hole {
  readonly lane: string
  readonly upTo: number
  readonly missing: number
  /** Whole generations that are ordered and were never met. */
  readonly missingGenerations?: number
  /** In the same generation; in a new one, the generation whose end is not known. */
  readonly after: number | undefined
  readonly tailOf: string | undefined
}

interface OwedMove {
  readonly cause: Move['cause']
  readonly leadsTo: Vector
  /** The user said why. */
  readonly hasReason: boolean
}

/** What a settled frame of a stream with generations must bring in its own transaction. */
export interface Owed {
  readonly frame: number
  move: OwedMove | undefined
  hole: Hole | undefined
  readonly retires: Set<string>
}

export interface Debtor {
  readonly broken: (rule: Rule, detail: string) => void
  owed: Owed | undefined
}

/** Whatever comes next, the last frame must have brought what it owed. */
export function owesNothing(debtor: Debtor): void {
  const {owed, broken} = debtor
  debtor.owed = undefined
  if (owed?.move !== undefined) broken('a handled frame is durable without its move', `${owed.frame}`)
  if (owed?.hole !== undefined)
    broken('numbers that were not seen were stepped over in silence', `${owed.frame}: ${JSON.stringify(owed.hole)}`)
  if ((owed?.retires.size ?? 0) > 0) broken('a generation was left and not retired', `${owed?.frame}`)
}

/** @param to - where the move leads, by its own steps */
export function payMove({owed, broken}: Debtor, {frame, cause, reason}: Move, to: Vector): void {
  const due = owed?.frame === frame ? owed?.move : undefined
  if (owed === undefined || due?.cause !== cause || due.hasReason !== (reason !== undefined))
    return broken('a move has no cause', `${frame} ${cause}`)
  owed.move = undefined
  if (!areEqual(to, due.leadsTo))
    broken(
      'the position is not what the handled frames add up to',
      `${frame}: ${inWords(to)} for ${inWords(due.leadsTo)}`,
    )
}

export function payHole({owed, broken}: Debtor, {hole}: Extract<Change, {kind: 'holeSeen'}>): void {
  const due = owed?.hole
  const members = ['lane', 'upTo', 'missing', 'missingGenerations', 'after', 'tailOf'] as const
  if (owed === undefined || due === undefined || members.some((member) => due[member] !== hole[member]))
    return broken('a hole is told of numbers that were seen', JSON.stringify(hole))
  owed.hole = undefined
}
