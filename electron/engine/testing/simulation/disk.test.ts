import {expect, test} from 'vitest'
import type {Change} from '../../../../shared/history/change.ts'
import type {SourceId} from '../../../../shared/source/source.ts'
import {StoreFailure} from '../../store/store.ts'
import {createDice} from './dice.ts'
import {createDisk} from './disk.ts'
import {createSchedule} from './schedule.ts'
import {untilQuiet} from './until-quiet.ts'

const seen = (n: number): Change[] => [{kind: 'vectorSeen', source: `source-${n}` as SourceId}]

function disk(seed: number) {
  const schedule = createSchedule(createDice(seed))
  const durable: string[] = []
  const life = {alive: () => true}
  const made = createDisk({
    schedule,
    dice: createDice(seed, 'disk'),
    weather: {errors: () => 0, isSlow: () => false},
    watch: {
      asked: () => {},
      loaded: () => {},
      durable: (changes) => {
        durable.push(...changes.map((change) => ('source' in change ? String(change.source) : '')))
        return () => {}
      },
    },
  })
  const step = async (): Promise<string | undefined> => {
    const event = schedule.next()
    event?.run()
    await untilQuiet()
    return event?.tag
  }
  return {made, store: made.storeOf(life), durable, step}
}

test('a commit is durable before it is acknowledged, and not when it was asked for', async () => {
  const {store, durable, step} = disk(1)
  let told = false
  void store.commit(seen(1)).then(() => (told = true))
  await untilQuiet()
  expect([durable.length, told]).toEqual([0, false])
  expect(await step()).toBe('synced')
  expect([durable.length, told]).toEqual([1, false])
  expect(await step()).toBe('acknowledged')
  expect(told).toBe(true)
})

test('of what a crash finds in a sync, a beginning may be durable; what still waited is lost', async () => {
  const reached = new Set<string>()
  for (let seed = 0; seed < 40; seed++) {
    const {made, store, durable, step} = disk(seed)
    void store.commit(seen(0))
    void store.commit(seen(1))
    void store.commit(seen(2))
    await step()
    await step()
    void store.commit(seen(3))
    made.crash()
    reached.add(durable.join(' '))
  }
  expect([...reached].sort()).toEqual(['source-0', 'source-0 source-1', 'source-0 source-1 source-2'])
})

test('a full disk refuses, and nothing of the list is durable', async () => {
  const {made, store, durable, step} = disk(1)
  made.fail('full', 10_000)
  const refused = store.commit(seen(1)).catch((cause: unknown) => cause)
  await step()
  await step()
  expect(await refused).toBeInstanceOf(StoreFailure)
  expect(durable).toEqual([])
})
