/** Makes a switch exhaustive: a new kind of a union stops the compile here, and a value from outside the types throws. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}
