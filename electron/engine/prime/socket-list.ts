import {readFile} from 'node:fs/promises'
import {parseJson} from '../../../shared/base/json.ts'
import {writeWholeFile} from '../store/write-whole-file.ts'

/** Sockets that the user named, besides the default one. */
export interface SocketList {
  readonly load: () => Promise<readonly string[]>
  readonly save: (sockets: readonly string[]) => Promise<void>
}

/** In a file of the profile: a JSON list of paths. One that does not read is as good as none. */
export function socketListIn(file: string): SocketList {
  return {
    async load() {
      const text = await readFile(file, 'utf8').catch(() => '[]')
      const list = parseJson(text)
      return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
    },
    async save(sockets) {
      writeWholeFile(file, `${JSON.stringify(sockets)}\n`)
    },
  }
}
