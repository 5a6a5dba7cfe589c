import {expect, test} from 'vitest'
import {err, ok, type Result} from '../../shared/base/result.ts'
import type {Host, HostError} from './host.ts'
import {listenSomewhere} from './listen-somewhere.ts'

const TAKEN: HostError = {kind: 'portTaken', port: 7777}
const REFUSED: HostError = {kind: 'cannotListen', port: 80, detail: 'listen EACCES: permission denied 127.0.0.1:80'}

/** A machine on which only these ports can be had. */
function machine(free: readonly number[], error: HostError) {
  const tried: number[] = []
  const start = async (port: number): Promise<Result<Host, HostError>> => {
    tried.push(port)
    return free.includes(port) ? ok({port, url: `http://127.0.0.1:${port}/`, close: async () => {}}) : err(error)
  }
  return {tried, start}
}

test('the usual port is taken first', async () => {
  const {start, tried} = machine([7777, 0], TAKEN)
  expect(await listenSomewhere(undefined, start)).toMatchObject({ok: true, value: {port: 7777}})
  expect(tried).toEqual([7777])
})

test('any port will do where the usual one is taken and none was asked for', async () => {
  const {start} = machine([0], TAKEN)
  expect(await listenSomewhere(undefined, start)).toMatchObject({ok: true, value: {port: 0}})
})

test('a port that was asked for is not replaced by another, and why it failed is passed on', async () => {
  const {start, tried} = machine([0], REFUSED)
  expect(await listenSomewhere(80, start)).toEqual({ok: false, error: REFUSED})
  expect(tried).toEqual([80])
})

test('why no port at all could be had is passed on', async () => {
  expect(await listenSomewhere(undefined, machine([], REFUSED).start)).toEqual({ok: false, error: REFUSED})
})
