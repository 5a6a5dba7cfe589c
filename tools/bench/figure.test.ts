import {expect, test} from 'vitest'
import {type Figure, isMet, ratioOf} from './figure.ts'
import {describeFigures} from './report.ts'

const figure = (ours: number, more: Partial<Figure> = {}): Figure => ({what: 'a commit', unit: 'ms', ours, ...more})
const floor = {what: 'an append', value: 2}

test('a ratio goal is held against the floor of the same run, and met where it is just reached', () => {
  const goal = {kind: 'ratio', atMost: 1.5} as const
  expect(isMet(figure(3, {floor, goal}))).toBe(true)
  expect(isMet(figure(3.1, {floor, goal}))).toBe(false)
})

test('a goal in units does not look at the floor', () => {
  const goal = {kind: 'value', atMost: 20} as const
  expect(isMet(figure(20, {floor, goal}))).toBe(true)
  expect(isMet(figure(21, {floor, goal}))).toBe(false)
})

test('where more is better, the ratio must be reached', () => {
  const goal = {kind: 'faster', atLeast: 2} as const
  expect(isMet(figure(4, {floor, goal}))).toBe(true)
  expect(isMet(figure(3.9, {floor, goal}))).toBe(false)
})

test('without a goal, or without the floor that it needs, nothing is said', () => {
  expect(isMet(figure(1))).toBeUndefined()
  expect(isMet(figure(1, {goal: {kind: 'ratio', atMost: 9}}))).toBeUndefined()
  expect(ratioOf(figure(1))).toBeUndefined()
})

test('a report is a table that says of each goal whether it is met', () => {
  const goal = {kind: 'ratio', atMost: 1.3} as const
  expect(describeFigures([figure(3, {floor, goal}), figure(12_345.6)])).toBe(
    [
      '| what | ours | floor | ratio | goal |  |',
      '| --- | --- | --- | --- | --- | --- |',
      '| a commit | 3 ms | 2 ms (an append) | 1.50 | at most 1.3x | missed |',
      '| a commit | 12,346 ms |  |  |  |  |',
    ].join('\n'),
  )
})
