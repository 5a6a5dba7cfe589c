/** A JSON value for looking at. A leaf keeps the text it was sent as: 9007199254740993 stays that, where a number could not. */
export type JsonNode =
  | {readonly kind: 'object'; readonly members: ReadonlyArray<readonly [string, JsonNode]>}
  | {readonly kind: 'array'; readonly items: readonly JsonNode[]}
  | {readonly kind: 'leaf'; readonly type: 'string' | 'number' | 'literal'; readonly text: string}

/** Parses JSON into nodes; undefined where it is none. */
export function parseExact(text: string): JsonNode | undefined {
  try {
    // The reviver works from the leaves up, so every value it meets has members that are nodes already.
    return JSON.parse(text, toNode) as JsonNode
  } catch {
    return undefined
  }
}

/** @param context - has the source text of a leaf (ECMAScript "JSON.parse source text access"), where the engine knows it */
function toNode(_key: string, value: unknown, context?: {readonly source?: string}): JsonNode {
  if (Array.isArray(value)) return {kind: 'array', items: value}
  // Nodes only: see above.
  if (typeof value === 'object' && value !== null)
    return {kind: 'object', members: Object.entries(value) as [string, JsonNode][]}
  if (typeof value === 'string') return {kind: 'leaf', type: 'string', text: value}
  return {
    kind: 'leaf',
    type: typeof value === 'number' ? 'number' : 'literal',
    text: context?.source ?? String(value),
  }
}
