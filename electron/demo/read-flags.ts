import {type ParseArgsConfig, parseArgs} from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Flags<O extends Options> = ReturnType<typeof parseArgs<{readonly options: O}>>['values']

/** The flags of a demo's own program. `undefined`: what it takes was told instead, because it was asked for or because of a flag it does not know. */
export function readFlags<O extends Options>(options: O, usage: string): Flags<O> | undefined {
  if (process.argv.slice(2).some((flag) => flag === '--help' || flag === '-h')) {
    console.log(usage)
    return undefined
  }
  try {
    return parseArgs({options}).values
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    console.error(`${cause.message}\n${usage}`)
    process.exitCode = 2
    return undefined
  }
}
