import {existsSync, globSync, mkdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {checkPackage, type PackedFile} from './check-package.ts'
import {describeOutcome, ROOT, runStep, type Step} from './run-step.ts'

// Packs the app without an installer round it, as electron-builder does for every system: its configuration is checked
// against its schema, what is inside against a list and a budget, and the app that was packed is started.

const OUT = join(ROOT, 'dist', 'packages')
const DIST = join(ROOT, '.cache', 'stand-in-dist')
const REAL = join(ROOT, 'node_modules', 'electron', 'dist')
const STAND_IN = join(ROOT, 'e2e', 'stand-in')
const UNPACKED = join(ROOT, '.cache', 'unpacked-app')
const isReal = existsSync(REAL)

await step({name: 'build', command: 'node', args: ['tools/build.ts']})
rmSync(OUT, {recursive: true, force: true})
await step({name: 'pack', command: 'electron-builder', args: ['--dir', ...electronDist()]})
const [asar] = globSync('**/app.asar', {cwd: OUT}).map((path) => join(OUT, path))
if (asar === undefined) throw new Error(`electron-builder left no app.asar under ${OUT}`)
rmSync(UNPACKED, {recursive: true, force: true})
await step({name: 'unpack', command: 'asar', args: ['extract', asar, UNPACKED]})

const files = listFiles(UNPACKED)
for (const {path, size} of files) console.log(`${String(size).padStart(9)} ${path}`)
const wrong = checkPackage(files)
for (const problem of wrong) console.error(problem)
if (wrong.length > 0) process.exit(1)

// Whoever counts asks for a report in a file; by itself it would come on top of what is printed.
const reporter = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] === undefined ? 'list' : 'list,json'
const playwright = ['test', '--config', 'e2e/packaged.config.ts', `--reporter=${reporter}`]
// The real one reads the archive itself; the stand-in cannot.
const env: Record<string, string> = isReal
  ? {TIDEMARK_PACKED_APP: asar}
  : {TIDEMARK_PACKED_APP: UNPACKED, ELECTRON_OVERRIDE_DIST_PATH: STAND_IN}
const started = await runStep({name: 'start', command: 'playwright', args: playwright, env}, 'live')
if (!started.passed) process.exit(1)

async function step(what: Step): Promise<void> {
  const outcome = await runStep(what, 'kept')
  console.log(describeOutcome(outcome))
  if (!outcome.passed) process.exit(1)
}

/** The real Electron where it is; else a dist that leads to the stand-in. Nothing is fetched. */
function electronDist(): readonly string[] {
  if (isReal) return [`-c.electronDist=${REAL}`]
  mkdirSync(DIST, {recursive: true})
  const leadsOn = `#!/bin/sh\nexec '${join(STAND_IN, 'electron')}' "$@"\n`
  writeFileSync(join(DIST, 'electron'), leadsOn, {mode: 0o755})
  return ['--linux', `-c.electronDist=${DIST}`]
}

function listFiles(folder: string): readonly PackedFile[] {
  return globSync('**/*', {cwd: folder})
    .map((path) => ({path: `/${path.replaceAll('\\', '/')}`, stat: statSync(join(folder, path))}))
    .filter(({stat}) => stat.isFile())
    .map(({path, stat}) => ({path, size: stat.size}))
}
