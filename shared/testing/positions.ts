import fc from 'fast-check'
import {
  type CoordinateKey,
  type Position,
  type PositionUpdate,
  parsePosition,
  parseSequence,
  type Sequence,
} from '../position/position.ts'

/** A position written as it is on the wire. */
export function at(coordinates: object): Position {
  const position = parsePosition(coordinates)
  if (position === undefined) throw new Error(`no position: ${JSON.stringify(coordinates)}`)
  return position
}

export function sequence(value: number): Sequence {
  const valid = parseSequence(value)
  if (valid === undefined) throw new Error(`no sequence: ${value}`)
  return valid
}

export const progress = (coordinates: object): PositionUpdate => ({kind: 'progress', reported: at(coordinates)})
export const ownProgress = (own: number): PositionUpdate => ({kind: 'ownProgress', own: sequence(own)})
export const replacement = (coordinates: object): PositionUpdate => ({kind: 'replacement', resumed: at(coordinates)})
export const ownReplacement = (own: number): PositionUpdate => ({kind: 'ownReplacement', own: sequence(own)})

/** Few keys and few values, so that positions meet; names that are members of every object among them. */
const keys = fc.constantFrom(
  's',
  'r:a',
  'r:b',
  'r:a:b',
  '__proto__',
  'constructor',
  '',
  '7',
) as fc.Arbitrary<CoordinateKey>
const sequences = fc.oneof(fc.nat(5), fc.constant(Number.MAX_SAFE_INTEGER)) as fc.Arbitrary<Sequence>

export const anyPosition: fc.Arbitrary<Position> = fc
  .array(fc.tuple(keys, sequences), {maxLength: 8})
  .map((pairs) => new Map(pairs))

export const anyUpdate: fc.Arbitrary<PositionUpdate> = fc.oneof(
  fc.constant<PositionUpdate>({kind: 'none'}),
  anyPosition.map((reported): PositionUpdate => ({kind: 'progress', reported})),
  sequences.map((own): PositionUpdate => ({kind: 'ownProgress', own})),
  anyPosition.map((resumed): PositionUpdate => ({kind: 'replacement', resumed})),
  sequences.map((own): PositionUpdate => ({kind: 'ownReplacement', own})),
)
