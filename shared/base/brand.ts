declare const brand: unique symbol

/** A type told apart from its base by name only, so that two counters or two units cannot be mixed up. */
export type Brand<T, Name extends string> = T & {readonly [brand]: Name}
