import {expect, test} from 'vitest'
import {countCodeLines} from './count-code-lines.ts'

const cases: ReadonlyArray<[behaviour: string, text: string, lines: number]> = [
  ['empty lines do not count', 'a\n\n  \nb\n', 2],
  ['a line that is only comment does not count', '// one\n/* two\nthree */\na', 1],
  ['a comment behind code does not hide it', 'a // why\n/* why */ b', 2],
  ['what looks like a comment in a string is code', "const a = '// no'\nconst b = `\n/* no */\n`", 4],
  ['characters outside the basic plane do not shift the count', "const a = '🌊🌊'\n// one\nb", 2],
]

test.each(cases)('%s', (_behaviour, text, lines) => expect(countCodeLines('x.ts', text)).toBe(lines))
