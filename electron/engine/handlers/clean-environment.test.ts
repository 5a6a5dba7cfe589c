import {delimiter} from 'node:path'
import {expect, test} from 'vitest'
import {cleanEnvironment} from './clean-environment.ts'

const path = (...folders: readonly string[]): string => folders.join(delimiter)
const NPMS = ['/home/dev/tidemark/node_modules/.bin', '/home/dev/node_modules/.bin', '/opt/npm/lib/node-gyp-bin']

test('what npm puts before the PATH of a script reaches no command; what its user put there does', () => {
  const given = path(...NPMS, '/home/ada/node_modules/.bin-of-mine', '/usr/bin', '/srv/node_modules/.bin')
  expect(cleanEnvironment({PATH: given, npm_lifecycle_event: 'start', TIDEMARK_TOKEN: 'x'})).toEqual({
    PATH: path('/home/ada/node_modules/.bin-of-mine', '/usr/bin', '/srv/node_modules/.bin'),
  })
  expect(cleanEnvironment({PATH: given})['PATH']).toBe(given)
})
