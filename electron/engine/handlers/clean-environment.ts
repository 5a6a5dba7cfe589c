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

/** The environment of a command: a few names of this process's own, so that no token or setting of it leaks. */
export function cleanEnvironment(own: Environment): Record<string, string> {
  return Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = own[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
