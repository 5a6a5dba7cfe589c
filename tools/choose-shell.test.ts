import {expect, test} from 'vitest'
import {chooseShell} from './choose-shell.ts'

const everything = {display: true, runtime: true, terminal: true, offered: false, args: []}

test.each([
  ['a runtime and a display', {}, 'desktop'],
  ['the words of both', {args: ['--demo', '--profile', '/a', '--profile=/b']}, 'desktop'],
  ['no terminal', {terminal: false}, 'desktop'],
  ['no display', {display: false}, 'host'],
  ['no display and no runtime', {display: false, runtime: false}, 'host'],
  ['a word of host mode', {args: ['--port', '7000']}, 'host'],
  ['no runtime', {runtime: false}, 'offer'],
  ['no runtime, and nobody to ask', {runtime: false, terminal: false}, 'host'],
  ['no runtime, and it was offered before', {runtime: false, offered: true}, 'host'],
])('%s: %o leads to %s', (_what, part, kind) => expect(chooseShell({...everything, ...part}).kind).toBe(kind))

test('what leads to host mode is said', () => {
  expect(chooseShell({...everything, display: false})).toMatchObject({because: 'There is no display here'})
  expect(chooseShell({...everything, args: ['--no-open']})).toMatchObject({because: '--no-open is a word of host mode'})
  expect(chooseShell({...everything, runtime: false, offered: true})).toMatchObject({
    because: expect.stringContaining('npx install-electron'),
  })
})
