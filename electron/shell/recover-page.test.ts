import {expect, test} from 'vitest'
import {addressAfterEnd, createRecovery} from './recover-page.ts'

function recovery() {
  const told: string[] = []
  const asked = Promise.withResolvers<void>()
  let now = 0
  const ended = createRecovery({
    now: () => now,
    reload: (reason) => void told.push(`loaded again: ${reason}`),
    giveUp: (reason) => {
      told.push(`left alone: ${reason}`)
      return asked.promise
    },
  })
  return {told, ended, pass: (ms: number) => (now += ms), ask: asked.resolve}
}

test('a page whose process ended is loaded again, but for one that was to end', () => {
  const {told, ended} = recovery()
  ended('crashed')
  ended('clean-exit')
  expect(told).toEqual(['loaded again: crashed'])
})

test('one that ends again and again is left alone until its user asks for it', async () => {
  const {told, ended, ask} = recovery()
  for (let n = 0; n < 4; n++) ended('oom')
  expect(told).toEqual([...Array(3).fill('loaded again: oom'), 'left alone: oom'])
  ask()
  await Promise.resolve()
  expect(told.at(-1)).toBe('loaded again: oom')
})

test('ends that are far apart are each made good', () => {
  const {told, ended, pass} = recovery()
  for (let n = 0; n < 6; n++) {
    ended('crashed')
    pass(60_000)
  }
  expect(told).toEqual(Array(6).fill('loaded again: crashed'))
})

test('the address keeps what was chosen, and names the last end', () => {
  const first = addressAfterEnd('app://tidemark/#source=a&frame=7', 'crashed')
  expect(first).toBe('app://tidemark/#source=a&frame=7&ended=crashed')
  expect(addressAfterEnd(first, 'oom')).toBe('app://tidemark/#source=a&frame=7&ended=oom')
})
