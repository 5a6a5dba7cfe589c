import type {Output} from '../output.ts'

/** An output that is kept. */
export function told(): Output & {readonly lines: string[]; readonly notes: string[]} {
  const lines: string[] = []
  const notes: string[] = []
  return {lines, notes, line: (text) => void lines.push(text), note: (text) => void notes.push(text)}
}
