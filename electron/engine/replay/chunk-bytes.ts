/** Cuts a body anew: pieces of these sizes, repeating, however it came. */
export interface Chunker {
  readonly feed: (chunk: Uint8Array) => readonly Uint8Array[]
  /** What was left over, too short for its size. */
  readonly end: () => readonly Uint8Array[]
}

/** @param sizes - at least one, each a positive number of bytes */
export function createChunker(sizes: readonly number[]): Chunker {
  let n = 0
  let begun: Uint8Array[] = []
  let missing = sizes[0] ?? Number.POSITIVE_INFINITY

  const complete = (): Uint8Array => {
    const piece = begun.length === 1 && begun[0] !== undefined ? begun[0] : new Uint8Array(Buffer.concat(begun))
    begun = []
    n += 1
    missing = sizes[n % sizes.length] ?? Number.POSITIVE_INFINITY
    return piece
  }

  return {
    feed(chunk) {
      const pieces: Uint8Array[] = []
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + missing)
        begun.push(part)
        at += part.length
        missing -= part.length
        if (missing === 0) pieces.push(complete())
      }
      return pieces
    },
    end: () => (begun.length === 0 ? [] : [complete()]),
  }
}

/** A whole body, cut into these sizes, repeating. */
export function chunkBytes(body: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const chunker = createChunker(sizes)
  return [...chunker.feed(body), ...chunker.end()]
}

/** A body that comes in pieces, cut anew where sizes are given. */
export async function* cutBody(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sizes: readonly number[] | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (sizes === undefined) return yield* body
  const chunker = createChunker(sizes)
  for await (const chunk of body) yield* chunker.feed(chunk)
  yield* chunker.end()
}
