import {spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {buildRenderer, rendererIsFresh} from './build-parts.ts'
import {ROOT} from './run-step.ts'

// Starts Tidemark: builds the page where that is due, then runs the host on the same terminal.

if (!rendererIsFresh()) {
  console.log('Building the page, which takes a few seconds and is done once.')
  await buildRenderer()
}
console.log(`${whyHost()}, so Tidemark runs in host mode: the same screens, in your browser.`)

const host = spawn(process.execPath, [join(ROOT, 'electron/host/main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
// A terminal's Ctrl-C reaches the host by itself, but a plain kill reaches only this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => host.kill(signal))
host.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143)
})

function whyHost(): string {
  const {platform, env} = process
  const display = platform === 'darwin' || platform === 'win32' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
  if (!display) return 'There is no display here'
  if (!existsSync(join(ROOT, 'node_modules', 'electron', 'path.txt'))) return 'The Electron runtime is not installed'
  return 'The desktop window is not started by this command yet'
}
