import {readFileSync} from 'node:fs'
import inspector from 'node:inspector'
import {createRequire, registerHooks} from 'node:module'
import {join, resolve} from 'node:path'
import {pathToFileURL} from 'node:url'
import {readCommandLine} from './command-line.ts'
import {endWithLeader} from './end-with-leader.ts'
import {createStandIn, STAND_IN} from './stand-in.ts'

// Runs an app's main process, as Electron's executable would: `electron <folder>`, with Node's inspector and preloaded
// modules where somebody asks for them.

const here = import.meta.dirname
const args = process.argv.slice(2)
const {requires, inspectPort, app} = readCommandLine(args)
process.argv = [join(here, 'electron'), ...args]

const folder = resolve(app)
const standIn = createStandIn(folder)
Object.assign(globalThis, {[STAND_IN]: standIn})
const ELECTRON = pathToFileURL(join(here, 'electron.ts')).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? {url: ELECTRON, format: 'module-typescript', shortCircuit: true}
      : next(specifier, context),
})

if (inspectPort !== undefined) {
  inspector.open(inspectPort)
  endWithLeader()
}
const require = createRequire(import.meta.url)
for (const module of requires) require(module)

const {main = 'index.js'} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
await import(pathToFileURL(resolve(folder, main)).href)
await standIn.run()
