import {expect, test} from 'vitest'
import type {FrameId} from '../history/fact.ts'
import {explainHeld} from './explain-held.ts'

const frame = 3 as FrameId

test('a held source never says that it goes on by itself', () => {
  const held = [
    explainHeld({kind: 'rejected', frame}),
    explainHeld({kind: 'malformed', frame}),
    explainHeld({kind: 'closed'}),
    explainHeld({kind: 'numberingReset', frame}),
    explainHeld(undefined),
  ]
  expect(new Set(held.map(({title}) => title)).size).toBe(held.length)
  for (const {title, detail, whatToDo} of held) {
    expect(`${detail} ${whatToDo}`).not.toMatch(/again from|once more|by itself/)
    expect(title).toMatch(/^Held/)
  }
})

test('where a numbering began anew, the choice is between the two numberings', () => {
  const {whatToDo} = explainHeld({kind: 'numberingReset', frame})
  expect(whatToDo).toMatch(/Take the new numbering, or keep the old one/)
  expect(whatToDo).not.toMatch(/retry|skip/)
})
