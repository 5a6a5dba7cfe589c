import {expect, test} from 'vitest'
import type {FrameId} from '../history/fact.ts'
import {explainHeld, sayHeldHere} from './explain-held.ts'

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

test('what is read on is not called closed, and only a bridge is said to keep what is not read', () => {
  const because = {kind: 'rejected', frame} as const
  expect(explainHeld(because).detail).toMatch(/No stream is attached, and nothing is read\./)
  expect(explainHeld(because, true).detail).toMatch(/still read and journaled, and nothing of it is handled\./)
  expect(sayHeldHere('switch')).toContain('Nothing is read until')
  for (const wire of ['prime', 'numbered', undefined] as const)
    expect(sayHeldHere(wire)).toContain('Nothing is handled until')
})

test('where a numbering began anew, the choice is between the two numberings', () => {
  const {whatToDo} = explainHeld({kind: 'numberingReset', frame})
  expect(whatToDo).toMatch(/Take the new numbering, or keep the old one/)
  expect(whatToDo).not.toMatch(/retry|skip/)
})
