import {readdirSync, readFileSync} from 'node:fs'
import {isJsonObject, type JsonObject, parseJson} from '../../../../shared/base/json.ts'

const FOLDER = new URL('../../../../fixtures/prime-captures/', import.meta.url)

/** One line of a captured session with a real daemon. */
export interface CapturedLine {
  readonly dir: 'in' | 'out'
  readonly conn: string
  readonly line: string
}

/** @param name - the beginning of a file's name; all of them where not said */
export function captured(name = ''): readonly CapturedLine[] {
  return readdirSync(FOLDER)
    .filter((file) => file.startsWith(name) && file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(new URL(file, FOLDER), 'utf8').split('\n'))
    .map(parseJson)
    .filter(isJsonObject)
    .flatMap(({dir, conn, line}) =>
      dir === 'in' || dir === 'out' ? [{dir, conn: String(conn), line: String(line)}] : [],
    )
}

/** What the daemon sent, to one connection or to all. */
export function capturedMessages(name = '', conn?: string): readonly JsonObject[] {
  return captured(name)
    .filter((one) => one.dir === 'in' && (conn === undefined || one.conn === conn))
    .map(({line}) => parseJson(line))
    .filter(isJsonObject)
}
