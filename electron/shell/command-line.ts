import {parseArgs} from 'node:util'

/** What the desktop app is told when it is started. */
export interface CommandLine {
  readonly profile?: string
  /** Start in the demo. */
  readonly demo: boolean
}

/** Reads its own words out of a command line that is Chromium's and Electron's too: what it does not know is theirs. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const {values} = parseArgs({
    args: [...args],
    options: {profile: {type: 'string'}, demo: {type: 'boolean'}},
    strict: false,
  })
  const {profile, demo} = values
  return {...(typeof profile === 'string' && profile !== '' ? {profile} : {}), demo: demo === true}
}
