import {appendFileSync, renameSync, writeFileSync} from 'node:fs'
import {open, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {createFastClock} from '../testing/fast-clock.ts'
import {temporaryFolder} from '../testing/temporary-folder.ts'
import {type FileReader, type Files, fileTransport} from './file-transport.ts'

const SHAPE = {over: 'file', cursorAt: 'cursor', typeAt: 'type'} as const

const line = (generation: number, sequence: number, text = ''): string =>
  `${JSON.stringify({type: 'event', cursor: {generation, sequence}, text})}\n`

/** A look at the file that somebody steps in before. */
function interrupted(before: () => void): Files {
  let isBefore = true
  return {
    open: (path) => open(path, 'r'),
    stat: (path) => {
      if (isBefore) before()
      isBefore = false
      return stat(path)
    },
  }
}

async function allOf(path: string, files: Files): Promise<{readonly texts: readonly string[]; readonly end: string}> {
  const opened = await fileTransport(path, SHAPE, createFastClock(100), files).open(
    {future: 'fail'},
    new AbortController().signal,
  )
  if (!opened.ok) throw new Error(opened.error.kind)
  const texts: string[] = []
  for (;;) {
    const next = await opened.value.next()
    if (next.done) return {texts, end: next.value.kind}
    texts.push(...next.value.map((arrival) => (arrival.kind === 'message' ? `${arrival.text}\n` : arrival.kind)))
  }
}

test('a file that was cut and has grown past the place since is no longer the one that was read', async () => {
  const path = join(temporaryFolder(), 'stream.jsonl')
  writeFileSync(path, line(3, 0))
  const anew = [line(1, 0, 'longer than what stood there before'), line(1, 1)].join('')
  const {texts, end} = await allOf(
    path,
    interrupted(() => writeFileSync(path, anew)),
  )
  expect(texts).toEqual([line(3, 0)])
  expect(end).toBe('closed')
})

test('a file whose text was replaced by as much of another one is no longer the one that was read', async () => {
  const path = join(temporaryFolder(), 'stream.jsonl')
  writeFileSync(path, line(3, 0))
  const {end} = await allOf(
    path,
    interrupted(() => writeFileSync(path, line(1, 0))),
  )
  expect(end).toBe('closed')
})

test('what was written to a file before another one took its place is read to its end', async () => {
  const path = join(temporaryFolder(), 'stream.jsonl')
  writeFileSync(path, line(3, 0))
  const rotate = (): void => {
    appendFileSync(path, line(3, 1))
    renameSync(path, `${path}.1`)
    writeFileSync(path, line(3, 2))
  }
  const {texts, end} = await allOf(path, interrupted(rotate))
  expect(texts).toEqual([line(3, 0), line(3, 1)])
  expect(end).toBe('closed')
})

test('a file that was opened and is never read is closed with the signal', async () => {
  const path = join(temporaryFolder(), 'stream.jsonl')
  writeFileSync(path, line(3, 0))
  const closed = Promise.withResolvers<void>()
  const files: Files = {
    stat,
    open: async (name) => {
      const handle = await open(name, 'r')
      const close: FileReader['close'] = async () => {
        await handle.close()
        closed.resolve()
      }
      return {read: handle.read.bind(handle), stat: handle.stat.bind(handle), close}
    },
  }
  const stop = new AbortController()
  await fileTransport(path, SHAPE, createFastClock(100), files).open({future: 'fail'}, stop.signal)
  stop.abort()
  await closed.promise
})
