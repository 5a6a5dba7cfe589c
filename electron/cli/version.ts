import {readFileSync} from 'node:fs'
import {isJsonObject, member, parseJson} from '../../shared/base/json.ts'

/** This Tidemark's version, as its package says. */
export const VERSION: string = readVersion()

function readVersion(): string {
  const manifest = parseJson(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return isJsonObject(manifest) ? String(member(manifest, 'version')) : 'unknown'
}
