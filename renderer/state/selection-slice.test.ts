import {expect, test} from 'vitest'
import {shownSource} from './selectors.ts'
import {createAppStore} from './store.ts'

function shown(store: ReturnType<typeof createAppStore>): readonly (string | undefined)[] {
  return [shownSource(store.getState()), store.getState().scope]
}

test('a closed column leaves timeline, list and ledgers with the same source; only all of them is all', () => {
  const store = createAppStore()
  store.getState().selectSource('a')
  store.getState().closeSource()
  expect(shown(store)).toEqual(['a', 'a'])
  store.getState().showAll()
  expect(shown(store)).toEqual([undefined, undefined])
})

test('a frame of another source takes the scope along, and makes none where there was none', () => {
  const store = createAppStore()
  store.getState().selectSource('a')
  store.getState().selectFrame('b', 4, 0)
  expect(shown(store)).toEqual(['b', 'b'])
  store.getState().showAll()
  store.getState().selectFrame('a', 3, 0)
  expect(shown(store)).toEqual(['a', undefined])
})
