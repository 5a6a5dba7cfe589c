/** The Switch server's own bytes: LF only, one data line of compact JSON, ASCII (Switch note, section 3). */
export function frameText(event: string, data: unknown, id?: number): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`
  return `${idLine}event: ${event}\ndata: ${asciiJson(data)}\n\n`
}

export const KEEPALIVE = ': keepalive\n\n'

/** Everything outside printable ASCII as `\uXXXX`, as the server's JSON writer does; inside a JSON text that can only be in a string. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
