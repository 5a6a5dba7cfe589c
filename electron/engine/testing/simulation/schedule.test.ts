import {expect, test} from 'vitest'
import {createDice} from './dice.ts'
import {createSchedule, type Schedule, WORLD} from './schedule.ts'

function order(schedule: Schedule): number[] {
  const times: number[] = []
  for (let event = schedule.next(); event !== undefined; event = schedule.next()) times.push(schedule.now())
  return times
}

test('events come in the order of their times, whatever order they were planned in', () => {
  const dice = createDice(3)
  const schedule = createSchedule(dice)
  const times = Array.from({length: 500}, () => dice.below(200))
  for (const ms of times) schedule.after(ms, 'timer', WORLD, () => {})
  expect(order(schedule)).toEqual([...times].sort((a, b) => a - b))
})

test('what was cancelled, and what belongs to the dead, does not happen', () => {
  const schedule = createSchedule(createDice(1))
  const life = {alive: () => false}
  schedule.after(1, 'timer', life, () => {})
  schedule.after(2, 'timer', WORLD, () => {}).cancel()
  schedule.after(3, 'timer', WORLD, () => {})
  expect(order(schedule)).toEqual([3])
})

test('what arrives at a machine that sleeps is found when it wakes', () => {
  const schedule = createSchedule(createDice(1))
  const life = {alive: () => true}
  schedule.postpone(life, 100)
  schedule.after(5, 'bytes', life, () => {})
  schedule.after(120, 'bytes', life, () => {})
  expect(order(schedule)).toEqual([100, 120])
})

test('a machine that sleeps is late by its sleep, and the world is not', () => {
  const schedule = createSchedule(createDice(1))
  const life = {alive: () => true}
  schedule.after(5, 'timer', life, () => {})
  schedule.after(10, 'server', WORLD, () => {})
  schedule.postpone(life, 100)
  expect(order(schedule)).toEqual([10, 105])
})
