// Starts a TypeScript entry on a Node that can run it: node tools/node24.mjs <entry.ts> [arguments]
// Plain JavaScript of old, because the Node it must answer to may know nothing newer.
import {spawn, spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'

const NEEDED = 24

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [entry, ...args] = process.argv.slice(2)

if (major(process.versions.node) >= NEEDED) {
  const path = resolve(entry)
  process.argv = [process.argv[0], path, ...args]
  await import(pathToFileURL(path).href)
} else {
  const bundled = join(root, 'node_modules', '.bin', 'node')
  if (fits(bundled)) runOn(bundled)
  else {
    console.error(
      `Tidemark needs Node ${NEEDED} or newer, and this is Node ${process.versions.node}.\n` +
        `On Linux on x64 \`npm ci\` brings one along; elsewhere install it from https://nodejs.org and try again.`,
    )
    process.exitCode = 1
  }
}

function fits(path) {
  if (!existsSync(path)) return false
  const asked = spawnSync(path, ['--version'], {encoding: 'utf8'})
  return asked.status === 0 && major(asked.stdout.slice(1)) >= NEEDED
}

function runOn(path) {
  const child = spawn(path, [entry, ...args], {stdio: 'inherit'})
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal's Ctrl-C has reached the child already, and a second one would cut its goodbye short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code === null ? 128 + (signal === 'SIGINT' ? 2 : 15) : code
  })
}

function major(version) {
  return Number.parseInt(version, 10)
}
