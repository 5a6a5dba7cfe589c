import {expect, test} from 'vitest'
import {readCommandLine} from './command-line.ts'

test.each([
  ['nothing', [], {demo: false}],
  ['the app’s folder', ['.'], {demo: false}],
  ['its own words', ['.', '--profile=/a b', '--demo'], {profile: '/a b', demo: true}],
  ['its own words, apart', ['--profile', '/a', '.'], {profile: '/a', demo: false}],
  ['Chromium’s words between', ['--no-sandbox', '--inspect=0', '.', '--demo', '--password-store=basic'], {demo: true}],
  ['a profile without a name', ['.', '--profile='], {demo: false}],
  ['a profile without a name at the end', ['.', '--profile'], {demo: false}],
])('%s', (_what, args, read) => expect(readCommandLine(args)).toEqual(read))
