import {PassThrough, Writable} from 'node:stream'
import {expect, test} from 'vitest'
import {OutputFailed, ReaderGone, terminalOutput} from './terminal.ts'

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

test('a line that a full disk refuses fails in words, at once and ever after', async () => {
  const full = new Writable({
    autoDestroy: false,
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space left'), {code: 'ENOSPC'})),
  })
  const output = terminalOutput(full, new PassThrough())
  await expect(output.line('one')).rejects.toThrow(OutputFailed)
  await expect(output.line('two')).rejects.toThrow('the output could not be written: no space left')
})
