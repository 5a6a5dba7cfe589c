import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {hasDisplay} from '../electron/host/has-display.ts'
import {rendererIsFresh} from './build-is-fresh.ts'

// Starts Tidemark: builds the page where that is due, then serves it from this very process, so that a signal meets one
// process and not two.

const root = join(import.meta.dirname, '..')

if (!rendererIsFresh(root)) {
  console.log('Building the page, which takes a few seconds and is done once.')
  const {buildRenderer} = await import('./build-parts.ts')
  await buildRenderer()
}
console.log(`${whyHost()}, so Tidemark runs in host mode: the same screens, in your browser.`)

const commandLine = join(root, 'electron/cli/main.ts')
process.argv = [process.execPath, commandLine, 'serve', ...process.argv.slice(2)]
await import(pathToFileURL(commandLine).href)

function whyHost(): string {
  if (!hasDisplay(process.platform, process.env)) return 'There is no display here'
  if (!existsSync(join(root, 'node_modules', 'electron', 'path.txt'))) return 'The Electron runtime is not installed'
  return 'This command does not start the desktop window yet'
}
