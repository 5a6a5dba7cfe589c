import {readFile} from 'node:fs/promises'
import {extname, join, normalize, sep} from 'node:path'

export interface Asset {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What a built page consists of. Nothing else is ever served. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
  ['.map', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
])

/** Reads a file of the built page; `undefined` for what is none, or lies outside the folder. */
export async function readAsset(folder: string, pathname: string): Promise<Asset | undefined> {
  const path = assetPath(folder, pathname)
  const type = path === undefined ? undefined : TYPES.get(extname(path))
  if (path === undefined || type === undefined) return undefined
  try {
    return {type, bytes: new Uint8Array(await readFile(path))}
  } catch {
    return undefined // not there, or not a file: to a page the same
  }
}

/** The file a URL's path names inside `folder`, or `undefined` where it would leave it. */
export function assetPath(folder: string, pathname: string): string | undefined {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return undefined
  }
  // A backslash separates on Windows, and a NUL ends a path for the system: a page of ours has neither in a name.
  if (/[\\\0]/.test(decoded)) return undefined
  const path = normalize(join(folder, decoded === '/' ? 'index.html' : decoded))
  return path.startsWith(folder + sep) ? path : undefined
}
