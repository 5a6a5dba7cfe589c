import {readFileSync} from 'node:fs'
import {extname} from 'node:path'
import {Script} from 'node:vm'

/**
 * Reads a preload as a sandboxed Electron would take it: one CommonJS file of plain JavaScript. Throws with what is wrong.
 * What it requires beyond `electron` is refused when it does.
 */
export function readPreload(path: string): string {
  if (/^\.[cm]?tsx?$/.test(extname(path))) throw new Error(`${path} is TypeScript, which no sandboxed preload may be`)
  if (extname(path) === '.mjs') throw new Error(`${path} is an ES module, which no sandboxed preload may be`)
  const text = readFileSync(path, 'utf8')
  try {
    new Script(`(function (exports, require, module) {${text}\n})`, {filename: path})
  } catch (cause) {
    throw new Error(`${path} is no CommonJS script: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  return text
}
