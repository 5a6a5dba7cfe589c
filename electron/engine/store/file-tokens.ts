import {readFileSync} from 'node:fs'
import {z} from 'zod'
import {parseJson} from '../../../shared/base/json.ts'
import type {TokenStore} from '../tokens.ts'
import {writeWholeFile} from './write-whole-file.ts'

/** Pairs, because a source's id is data. */
const tokenFile = z.object({version: z.literal(1), tokens: z.array(z.tuple([z.string(), z.string()]))})

/**
 * Tokens in a file of mode 0600, for where no keychain is. A file that cannot be read as such is never overwritten:
 * every call fails with what is wrong, and the user decides.
 */
export function fileTokens(path: string): TokenStore {
  const change = (edit: (tokens: Map<string, string>) => void): void => {
    const tokens = readTokens(path)
    edit(tokens)
    writeWholeFile(path, `${JSON.stringify({version: 1, tokens: [...tokens]}, undefined, 2)}\n`)
  }
  return {
    get: async (source) => readTokens(path).get(source),
    set: async (source, token) => change((tokens) => tokens.set(source, token)),
    delete: async (source) => change((tokens) => tokens.delete(source)),
    describe: `in the file ${path}, not encrypted; its permissions let only your own user account read it`,
  }
}

function readTokens(path: string): Map<string, string> {
  const text = readIfThere(path)
  if (text === undefined) return new Map()
  const file = tokenFile.safeParse(parseJson(text))
  if (!file.success) throw new Error(`${path} is not a token file`) // never with its text: it may hold secrets
  return new Map(file.data.tokens)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}
