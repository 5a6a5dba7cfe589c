import {expect, test} from 'vitest'
import {untilQuiet} from './until-quiet.ts'

test('every promise job is done first, however long their chain', async () => {
  let done = 0
  const chain = async (): Promise<void> => {
    for (; done < 50_000; done++) await undefined
  }
  await undefined
  void chain()
  await untilQuiet()
  expect(done).toBe(50_000)
})

test('jobs of streams and signals are done as well', async () => {
  const stop = new AbortController()
  const heard: string[] = []
  async function* letters(): AsyncGenerator<string> {
    yield 'a'
    yield 'b'
  }
  const read = async (): Promise<void> => {
    for await (const letter of letters()) heard.push(letter)
    AbortSignal.any([stop.signal]).addEventListener('abort', () => heard.push('aborted'))
    await Promise.race([new Promise(() => {}), Promise.resolve()])
    stop.abort()
  }
  await undefined
  void read()
  await untilQuiet()
  expect(heard).toEqual(['a', 'b', 'aborted'])
})
