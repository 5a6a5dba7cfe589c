import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {placeWindow, readPlace, savePlace} from './window-place.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidemark-window-'))
afterAll(() => rmSync(folder, {recursive: true}))

const left = {x: 0, y: 25, width: 1920, height: 1055}
const right = {x: 1920, y: 0, width: 2560, height: 1440}
const usual = {width: 1440, height: 900}
const at = (x: number, y: number, width = 1000, height = 700) => ({bounds: {x, y, width, height}, maximized: false})

test.each([
  ['never placed', undefined, usual],
  ['on a display', at(100, 100), at(100, 100).bounds],
  ['half out to the right', at(4000, 100), at(4000, 100).bounds],
  ['on a display that is gone', at(-1500, 100), usual],
  ['out below, but for a line', at(100, 1070), usual],
  ['its upper edge under a bar of the system', at(100, 10), usual],
  ['out to the left, but for a corner', at(-950, 100), usual],
  ['smaller than can be read', at(100, 100, 300, 200), {x: 100, y: 100, width: 800, height: 600}],
])('a window that was %s', (_where, place, bounds) => expect(placeWindow(place, [left, right])).toEqual(bounds))

test('a place that was saved is read again, by this user only', () => {
  const path = join(folder, 'window.json')
  savePlace(path, {...at(1, 2), maximized: true})
  expect(readPlace(path)).toMatchObject({...at(1, 2), maximized: true})
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test.each(['', '{', '{"version":2}', '{"version":1,"bounds":{"x":"a"},"maximized":false}'])(
  'a file that says %j tells no place',
  (text) => {
    const path = join(folder, 'broken.json')
    writeFileSync(path, text)
    expect(readPlace(path)).toBeUndefined()
  },
)

test('a place that cannot be saved stops nobody', () => {
  expect(() => savePlace(join(folder, 'no-such-folder', 'window.json'), at(1, 2))).not.toThrow()
})
