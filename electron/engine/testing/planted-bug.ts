import type {Wire} from '../../../shared/source/source.ts'

/** One text in one file of the product, and what stands there instead. */
export interface Patch {
  /** From the project's root. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A fault that a proof must find: changes to the shipped source, as somebody might make them. */
export interface PlantedBug {
  readonly name: string
  /** It is looked for where there is a source of this wire. Absent: everywhere. */
  readonly wire?: Wire
  readonly patches: readonly Patch[]
}
