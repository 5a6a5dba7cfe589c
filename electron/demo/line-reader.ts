/** Lines of a client, from chunks cut anywhere: LF alone ends one, and one CR before it is not part of it. */
export function createLineReader(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder()
  // Joined once a line is whole: joining at every chunk takes the square of its length.
  let rest: string[] = []
  return (chunk) => {
    const text = decoder.decode(chunk, {stream: true})
    rest.push(text)
    if (!text.includes('\n')) return
    const parts = rest.join('').split('\n')
    rest = [parts.pop() ?? '']
    for (const line of parts) onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}
