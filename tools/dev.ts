import {spawn} from 'node:child_process'
import {join} from 'node:path'
import {createServer} from 'vite'
import {ROOT} from './run-step.ts'

// For working on Tidemark: a host that starts anew when its code changes, and the page from source in front of it.

const HOST_PORT = 4310

const vite = await createServer({
  configFile: join(ROOT, 'vite.config.ts'),
  server: {
    host: '127.0.0.1',
    proxy: {'/ws': {target: `http://127.0.0.1:${HOST_PORT}`, ws: true, changeOrigin: true, rewriteWsOrigin: true}},
  },
})
await vite.listen()

const host = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    join(ROOT, 'electron/cli/main.ts'),
    'serve',
    '--page-elsewhere',
    `--port=${HOST_PORT}`,
    ...process.argv.slice(2),
  ],
  {stdio: ['inherit', 'pipe', 'inherit']},
)
host.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk)
  // Each start of the host has a token of its own, so its address is told anew, with our port in it.
  const token = /#token=\S+/.exec(chunk.toString())?.[0]
  const [page] = vite.resolvedUrls?.local ?? []
  if (token !== undefined && page !== undefined) console.log(`page from source: ${page}${token}`)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => host.kill(signal))
host.on('exit', () => void vite.close().then(() => process.exit()))
