import {delimiter} from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** What a program needs to find itself and others. Nothing else of ours is a command's business. */
const PASSED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  // Without these no program starts on Windows.
  'SystemRoot',
  'ComSpec',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
]

/** Folders that npm puts before a PATH while it runs a script: of this project's tools, which are no command's business. */
const NPMS_FOLDER = /[\\/](?:node_modules[\\/]\.bin|node-gyp-bin)$/

function withoutNpms(path: string, own: Environment): string {
  if (own['npm_lifecycle_event'] === undefined) return path // whatever is there its user put there
  const folders = path.split(delimiter)
  return folders.slice(folders.findIndex((folder) => !NPMS_FOLDER.test(folder))).join(delimiter)
}

/** The environment of a command: a few names of this process's own, so that no token or setting of it leaks. */
export function cleanEnvironment(own: Environment): Record<string, string> {
  return Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = own[name]
      return value === undefined ? [] : [[name, name === 'PATH' ? withoutNpms(value, own) : value]]
    }),
  )
}
