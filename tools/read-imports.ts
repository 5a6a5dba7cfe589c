import {globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseSync, Visitor} from 'vite'

/** One way in which a file names another, however it is written. */
export interface Import {
  /** Path of the importing file from the root, with `/`. */
  readonly from: string
  /** As written. */
  readonly specifier: string
  /** Erased before anything runs: `import type`, `export type`, `import('…').T`. */
  readonly typeOnly: boolean
}

export interface SourceModule {
  readonly path: string
  readonly imports: readonly Import[]
}

/** Everything under these folders obeys the rules; a file that is not read is a file that is not held to them. */
export const FOLDERS = ['shared', 'electron', 'renderer', 'e2e', 'tools'] as const

export function readModules(root: string): readonly SourceModule[] {
  return sourcePaths(root).map((path) => ({path, imports: readImports(path, readFileSync(join(root, path), 'utf8'))}))
}

export function sourcePaths(root: string): readonly string[] {
  return globSync(
    FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mts,cts}`),
    {cwd: root},
  )
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
}

/** @throws where the text does not parse: an unread file must never pass as one without imports. */
export function readImports(path: string, text: string): readonly Import[] {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`)
  const imports: Import[] = []
  const add = (specifier: string, typeOnly: boolean) => imports.push({from: path, specifier, typeOnly})
  new Visitor({
    ImportDeclaration: (node) => void add(node.source.value, node.importKind === 'type'),
    ExportAllDeclaration: (node) => void add(node.source.value, node.exportKind === 'type'),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.source.value, node.exportKind === 'type')
    },
    TSImportType: (node) => void add(node.source.value, true),
    ImportExpression: (node) => {
      const specifier = literal(node.source)
      if (specifier !== undefined) add(specifier, false)
    },
    // A worker's file is named by `new URL('./x.ts', import.meta.url)`, and runs in its process like any import.
    NewExpression: (node) => {
      const specifier =
        node.callee.type === 'Identifier' && node.callee.name === 'URL' ? literal(node.arguments[0]) : undefined
      if (specifier !== undefined && /^\.{1,2}\/.*\.[cm]?tsx?$/.test(specifier)) add(specifier, false)
    },
    CallExpression: (node) => {
      const specifier =
        node.callee.type === 'Identifier' && node.callee.name === 'require' ? literal(node.arguments[0]) : undefined
      if (specifier !== undefined) add(specifier, false)
    },
  }).visit(parsed.program)
  return imports
}

function literal(node: {readonly type: string; readonly value?: unknown} | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}
