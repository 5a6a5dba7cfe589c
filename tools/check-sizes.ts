import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {countCodeLines} from './count-code-lines.ts'
import {sourcePaths} from './read-imports.ts'

/** In lines of code. Functions are measured by the linter. */
const LIMIT = 300

const root = join(import.meta.dirname, '..')
const paths = sourcePaths(root).filter((path) => !/\.test\.tsx?$|\.spec\.ts$/.test(path))
const long = paths
  .map((path) => ({path, lines: countCodeLines(path, readFileSync(join(root, path), 'utf8'))}))
  .filter(({lines}) => lines > LIMIT)

for (const {path, lines} of long) console.error(`${path} has ${lines} lines of code; ${LIMIT} is the limit`)
console.log(`${paths.length} files, ${long.length} too long`)
if (long.length > 0) process.exitCode = 1
