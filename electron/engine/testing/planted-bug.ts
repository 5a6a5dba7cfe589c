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
  readonly patches: readonly Patch[]
}
