import {spawn} from 'node:child_process'
import {existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {isJsonObject, member, parseJson} from '../shared/base/json.ts'
import {err, ok, type Result} from '../shared/base/result.ts'

/** Where a start keeps that it offered the runtime, and of which version. */
const OFFERED = ['.cache', 'offered-electron']

/** Whether Electron's package finds a runtime: its own, or the one that a variable names. */
export function hasRuntime(root: string, env: NodeJS.ProcessEnv): boolean {
  const folder = join(root, 'node_modules', 'electron')
  const named = readIfThere(join(folder, 'path.txt'))
  const override = env['ELECTRON_OVERRIDE_DIST_PATH']
  if (override !== undefined && override !== '') return existsSync(join(override, named ?? 'electron'))
  return named !== undefined && existsSync(join(folder, 'dist', named))
}

export function wasOffered(root: string): boolean {
  return readIfThere(join(root, ...OFFERED)) === electronVersion(root)
}

export function rememberOffer(root: string): void {
  mkdirSync(join(root, '.cache'), {recursive: true})
  writeFileSync(join(root, ...OFFERED), electronVersion(root))
}

export interface FetchOptions {
  /** Called now and then with what has come, in bytes; `total` where it is known. */
  readonly onProgress: (bytes: number, total: number | undefined) => void
  /** How long nothing may come before it is given up, in ms. */
  readonly patienceMs: number
}

/** Fetches the runtime with Electron's own installer. An error says in words why it could not be had. */
export async function fetchRuntime(
  root: string,
  env: NodeJS.ProcessEnv,
  {onProgress, patienceMs}: FetchOptions,
): Promise<Result<true, string>> {
  const there = await look(archiveUrl(root, env), patienceMs)
  if (!there.ok) return there
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-electron-'))
  const installer = join(root, 'node_modules', 'electron', 'install.js')
  // It downloads into the folder for temporary files, where what has come can be seen.
  const child = spawn(process.execPath, [installer], {
    env: {...env, TMPDIR: folder, TEMP: folder, TMP: folder, ELECTRON_GET_NO_PROGRESS: '1'},
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  let [come, since] = [0, performance.now()]
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const watch = setInterval(() => {
    const bytes = bytesIn(folder)
    if (bytes !== come) [come, since] = [bytes, performance.now()]
    onProgress(come, there.value)
    const isWhole = there.value !== undefined && come >= there.value
    if (!isWhole && performance.now() - since > patienceMs) child.kill()
  }, 500)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearInterval(watch)
  rmSync(folder, {recursive: true, force: true})
  if (code === 0) return ok(true)
  return err(code === null ? 'nothing came any more' : (complaint.trim().split('\n')[0] ?? `it ended with ${code}`))
}

/** Asks for the archive's size, to know in seconds whether it can be had. */
async function look(url: string, patienceMs: number): Promise<Result<number | undefined, string>> {
  try {
    const {ok: isThere, status, headers} = await fetch(url, {method: 'HEAD', signal: AbortSignal.timeout(patienceMs)})
    if (!isThere) return err(`${new URL(url).host} answers ${status}`)
    const length = headers.get('content-length')
    return ok(length === null ? undefined : Number(length))
  } catch {
    return err(`${new URL(url).host} cannot be reached`)
  }
}

/** As Electron's installer names it; a mirror is named by the variable that it reads too. */
function archiveUrl(root: string, env: NodeJS.ProcessEnv): string {
  const mirror = env['ELECTRON_MIRROR'] ?? 'https://github.com/electron/electron/releases/download/'
  const version = electronVersion(root)
  return `${mirror}v${version}/electron-v${version}-${process.platform}-${process.arch}.zip`
}

function electronVersion(root: string): string {
  const manifest = parseJson(readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'))
  return isJsonObject(manifest) ? String(member(manifest, 'version')) : 'unknown'
}

function bytesIn(folder: string): number {
  const sizes = globSync('**/*', {cwd: folder}).map((path) => statSync(join(folder, path), {throwIfNoEntry: false}))
  return sizes.reduce((sum, stat) => sum + (stat?.isFile() === true ? stat.size : 0), 0)
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
