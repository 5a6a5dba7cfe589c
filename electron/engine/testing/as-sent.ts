/** What a stream's bytes make, as text: without the blocks that make no frame: comments, and what has no data. */
export function framesOf(text: string): string {
  const blocks = text.split('\n\n')
  return blocks.filter((block, n) => /^data:/m.test(block) || n === blocks.length - 1).join('\n\n')
}

/** Where what was received is not a beginning of what was sent: both around that place. */
export function firstDifference(sent: string, received: string): string {
  const at = [...received].findIndex((character, index) => sent[index] !== character)
  return `sent ${JSON.stringify(sent.slice(at - 40, at + 80))}, received ${JSON.stringify(received.slice(at - 40, at + 80))}`
}
