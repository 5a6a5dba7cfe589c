import {PassThrough, Writable} from 'node:stream'
import {expect, test} from 'vitest'
import {ReaderGone, terminalOutput} from './terminal.ts'

test('a line waits until a full pipe has room again', async () => {
  const pipe = new PassThrough({highWaterMark: 4})
  const output = terminalOutput(pipe, new PassThrough())
  let done = false
  const written = Promise.resolve(output.line('long enough')).then(() => {
    done = true
  })
  await new Promise(setImmediate)
  expect(done).toBe(false)
  expect(String(pipe.read())).toBe('long enough\n')
  await written
  expect(done).toBe(true)
})

test('a line that nobody reads any more is refused, and one that waits for room too', async () => {
  const broken = new Writable({
    highWaterMark: 1,
    autoDestroy: false,
    write: (_chunk, _encoding, done) =>
      void setImmediate(done, Object.assign(new Error('broken pipe'), {code: 'EPIPE'})),
  })
  const output = terminalOutput(broken, new PassThrough())
  await expect(output.line('one')).rejects.toThrow(ReaderGone)
  await expect(output.line('two')).rejects.toThrow(ReaderGone)
})
