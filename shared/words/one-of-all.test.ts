import {expect, test} from 'vitest'
import {oneOfAll} from './one-of-all.ts'

test('where several sources are listed, it is said why this one of them is drawn', () => {
  expect(oneOfAll(3, false)).toBe('none chosen: the first on the board · the list shows all 3 sources')
  expect(oneOfAll(3, true)).toBe('the list shows all 3 sources')
  expect(oneOfAll(1, false)).toBeUndefined()
})
