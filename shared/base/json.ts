/** A parsed JSON object whose members are not known yet. */
export type JsonObject = {readonly [key: string]: unknown}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own member, or `undefined`: `__proto__` and `constructor` are names like any other. */
export function member(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** An own member that is text, or `undefined`. */
export function textOf(object: JsonObject, key: string): string | undefined {
  const value = member(object, key)
  return typeof value === 'string' ? value : undefined
}

/** Parses text as JSON; `undefined` where it is none (JSON itself has no `undefined`). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value as JSON text. What is nested too deeply for the stack, as a few KiB of `[` are, has none and is `…`. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return '…'
  }
}
