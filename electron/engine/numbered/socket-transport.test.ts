import {expect, test} from 'vitest'
import {placeOf} from './socket-transport.ts'

test.each([
  ['127.0.0.1:4000', {host: '127.0.0.1', port: 4000}],
  ['[::1]:4000', {host: '::1', port: 4000}],
  ['::1:4000', {host: '::1', port: 4000}],
  ['devbox:80', {host: 'devbox', port: 80}],
  ['/run/lines.sock', {path: '/run/lines.sock'}],
  ['/run/odd:4000', {path: '/run/odd:4000'}],
  ['\\\\.\\pipe\\lines', {path: '\\\\.\\pipe\\lines'}],
  ['host:99999', {path: 'host:99999'}],
])('%s', (address, place) => {
  expect(placeOf(address)).toEqual(place)
})
