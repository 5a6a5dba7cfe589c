import {expect, test} from 'vitest'
import {hasDisplay} from './has-display.ts'

const cases: readonly (readonly [behaviour: string, NodeJS.Platform, NodeJS.ProcessEnv, boolean])[] = [
  ['a desktop system has one', 'darwin', {}, true],
  ['X11 names one', 'linux', {DISPLAY: ':0'}, true],
  ['Wayland names one', 'linux', {WAYLAND_DISPLAY: 'wayland-0'}, true],
  ['an empty name is none, and does not hide the other', 'linux', {DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0'}, true],
  ['a server has none', 'linux', {}, false],
  ['an empty name is none', 'linux', {DISPLAY: ''}, false],
]
test.each(cases)('%s', (_behaviour, platform, env, expected) => expect(hasDisplay(platform, env)).toBe(expected))
