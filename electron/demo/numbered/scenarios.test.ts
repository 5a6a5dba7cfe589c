import {expect, test} from 'vitest'
import {compareCursors, type NumberedCursor} from './cursor.ts'
import {findNumberedScenario, numberedScenarios} from './scenarios.ts'
import {createStage, type Output} from './stage.ts'

/** Plays in virtual time to one reader, who comes back at once and asks for what follows its last cursor. */
function play(name: string, untilMs = 60_000): readonly NumberedCursor[] {
  const scenario = findNumberedScenario(name)
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  const stage = createStage({scenario, stored: [], future: 'all', place: ['cursor'], epochOffset: 0})
  const seen: NumberedCursor[] = []
  let reader = 0
  const take = (outputs: readonly Output[]): void => {
    for (const output of outputs) if (output.kind === 'send') seen.push(output.entry.cursor)
    if (outputs.some(({kind}) => kind === 'end' || kind === 'cutNext')) come()
  }
  const come = (): void => {
    stage.closed(reader)
    reader += 1
    const opened = stage.open(reader, {from: seen.at(-1), future: undefined})
    if (opened.ok) take(opened.value)
  }
  take(stage.tick(0))
  come()
  for (let now = 0; now <= untilMs; now = Math.max(now, stage.nextDue(now))) take(stage.tick(now))
  return seen
}

test('names are unique, and the product’s own comes first', () => {
  const names = numberedScenarios.map(({name}) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names[0]).toBe('tour')
})

test.each(numberedScenarios.filter(({name}) => !['tour', 'lost-store'].includes(name)))(
  '$name comes in exact order',
  ({name}) => {
    const seen = play(name)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.toSorted(compareCursors)).toEqual(seen)
    expect(new Set(seen.map((cursor) => JSON.stringify(cursor))).size).toBe(seen.length)
  },
)

test.each(['tour', 'lost-store'])('%s falls back once the store is lost', (name) => {
  const seen = play(name, 15_000)
  const falls = seen.filter((cursor, n) => compareCursors(cursor, seen[n - 1] ?? cursor) < 0)
  expect(falls).toEqual([{generation: 1, sequence: 0}])
})

test('the tour goes on', () => {
  expect(play('tour', 120_000).length).toBeGreaterThan(3 * play('tour', 15_000).length)
})
