/** The fields of one block as its lines come in. They are its own: nothing is carried over from an earlier block. */
export interface SseFields {
  /** Takes one line, given as a part of a text without its terminator. `value` cuts out a part of that text, decoded. */
  readonly takeLine: (text: string, from: number, to: number, value: (from: number, to: number) => string) => void
  /** What the lines came to; `undefined` where their joined data is empty. Begins a new block. */
  readonly take: () => {readonly event: string; readonly id: string | undefined; readonly data: string} | undefined
}

const COLON = 0x3a
const SPACE = 0x20
const LETTER_D = 0x64
const LETTER_E = 0x65
const LETTER_I = 0x69

/** WHATWG server-sent events, "interpreting an event stream", without `retry`: this client paces itself. */
export function createSseFields(): SseFields {
  let event = ''
  let id: string | undefined
  let data: string | undefined
  /** All data lines, from the second on. Joined once: a text grown line by line would be a deep rope. */
  let lines: string[] | undefined

  const addData = (line: string): void => {
    if (data === undefined) data = line
    else if (lines === undefined) lines = [data, line]
    else lines.push(line)
  }

  return {
    takeLine(text, from, to, value) {
      // The first letter tells nearly every line apart; comments and unknown fields end here.
      const letter = text.charCodeAt(from)
      if (letter === LETTER_D) {
        const start = valueStart(text, 'data', from, to)
        if (start >= 0) addData(value(start, to))
      } else if (letter === LETTER_E) {
        const start = valueStart(text, 'event', from, to)
        if (start >= 0) event = value(start, to)
      } else if (letter === LETTER_I) {
        const start = valueStart(text, 'id', from, to)
        if (start < 0) return
        const said = value(start, to)
        if (!said.includes('\0')) id = said
      }
    },
    take() {
      const joined = lines === undefined ? data : lines.join('\n')
      const taken = joined === undefined || joined === '' ? undefined : {event: event || 'message', id, data: joined}
      event = ''
      id = undefined
      data = undefined
      lines = undefined
      return taken
    },
  }
}

/**
 * Where the value of a named field begins, one space after the colon skipped; -1 where the line is another field. Field
 * names are compared exactly, and a line that is only a name has an empty value.
 */
function valueStart(text: string, name: string, from: number, to: number): number {
  if (!text.startsWith(name, from)) return -1 // cannot match across the line's end: a name has no line terminator
  const end = from + name.length
  if (end === to) return to
  if (text.charCodeAt(end) !== COLON) return -1
  return end + 1 < to && text.charCodeAt(end + 1) === SPACE ? end + 2 : end + 1
}
