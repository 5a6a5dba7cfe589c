import {expect, test} from 'vitest'
import {differ, discard, leave} from './leave.ts'
import {createAppStore} from './store.ts'

test('what is typed nowhere is left at once; what is typed only after the user’s word', () => {
  const store = createAppStore()
  store.getState().setAddingSource(true)
  leave(store, 'addSource')
  expect(store.getState().addingSource).toBe(false)
  store.getState().selectSource('a')
  store.getState().noteUnsaved(1)
  leave(store, 'source')
  expect(store.getState()).toMatchObject({leaving: 'source', selectedSource: 'a'})
  discard(store)
  expect(store.getState()).toMatchObject({leaving: undefined, selectedSource: undefined, scope: 'a'})
})

test('a draft that was typed back to what it was is none', () => {
  expect(differ({name: '', rooms: ['a']}, {name: '', rooms: ['a']})).toBe(false)
  expect(differ({name: 'x'}, {name: ''})).toBe(true)
})
