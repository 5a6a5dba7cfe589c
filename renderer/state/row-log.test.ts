import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createRowLog} from './row-log.ts'

interface Row {
  readonly id: number
  readonly text: string
}

const byId = (a: Row, b: Row): number => a.id - b.id

test('rows are in order and each is there once, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(fc.record({id: fc.nat(50), text: fc.string()})), (rows) => {
      const log = createRowLog(byId)
      const newest = new Map<number, Row>()
      for (const row of rows) {
        log.put(row)
        newest.set(row.id, row)
      }
      expect(log.rows).toEqual([...newest.values()].sort(byId))
    }),
  )
})

test('the array stays the same, so that it can be read at any time', () => {
  const log = createRowLog(byId)
  const {rows} = log
  log.put({id: 2, text: ''})
  log.replaceAll([{id: 5, text: ''}])
  expect(log.removeWhere(({id}) => id === 5)).toMatchObject({id: 5})
  expect(log.removeWhere(({id}) => id === 5)).toBeUndefined()
  expect(log.rows).toBe(rows)
  expect(rows).toEqual([])
})

test('the oldest rows above the limit go, and the newest of them is told', () => {
  const log = createRowLog(byId)
  for (const id of [1, 2, 3, 4]) log.put({id, text: ''})
  expect(log.dropOldest(2)).toEqual({id: 2, text: ''})
  expect(log.dropOldest(2)).toBeUndefined()
  expect(log.rows.map(({id}) => id)).toEqual([3, 4])
})

test('a row is found by its identity, as it is held', () => {
  const log = createRowLog(byId)
  log.put({id: 3, text: 'held'})
  expect(log.find({id: 3, text: ''})).toEqual({id: 3, text: 'held'})
  expect(log.find({id: 4, text: ''})).toBeUndefined()
})
