import {expect, test} from 'vitest'
import {textOf} from './json.ts'

test('a member that is text is told, also an empty one', () => {
  expect([textOf({a: 'said'}, 'a'), textOf({a: ''}, 'a')]).toEqual(['said', ''])
})

test('what is absent, inherited or no text is none', () => {
  expect([textOf({}, 'a'), textOf({a: 7}, 'a'), textOf({a: null}, 'a'), textOf({}, 'toString')]).toEqual(
    Array(4).fill(undefined),
  )
})
