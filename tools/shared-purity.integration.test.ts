import {spawnSync} from 'node:child_process'
import {copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'

const root = join(import.meta.dirname, '..')

/** What the compiler says about a file under the options of `shared/`. */
function compileInShared(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-pure-'))
  try {
    writeFileSync(join(folder, 'planted.ts'), text)
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    const options = {extends: join(root, 'shared/tsconfig.json'), files: ['planted.ts'], include: [], exclude: []}
    const compilerOptions = {rootDir: '.', outDir: 'out', composite: false, noEmit: true, emitDeclarationOnly: false}
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({...options, compilerOptions}))
    return run('tsc', ['-p', '.'], folder)
  } finally {
    rmSync(folder, {recursive: true})
  }
}

/** What the linter says about a text as though it stood at a path of the tree. */
function lintAt(path: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-lint-'))
  try {
    for (const name of ['biome.json', '.gitignore']) copyFileSync(join(root, name), join(folder, name))
    mkdirSync(dirname(join(folder, path)), {recursive: true})
    writeFileSync(join(folder, path), text)
    return run('biome', ['lint', '--colors=off', '.'], folder)
  } finally {
    rmSync(folder, {recursive: true})
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  const {stdout, stderr, error} = spawnSync(join(root, 'node_modules/.bin', command), args, {cwd, encoding: 'utf8'})
  if (error !== undefined) throw error
  return stdout + stderr
}

describe('shared/ has no environment', () => {
  test('plain code compiles', () => {
    expect(compileInShared('export const a: ReadonlyMap<string, number> = new Map()')).toBe('')
  })

  test.each(['process', 'setTimeout', 'document', 'fetch', 'console', 'Buffer', 'window', 'performance', 'crypto'])(
    '%s does not compile',
    (name) => expect(compileInShared(`export const a = ${name}`)).toMatch(new RegExp(`Cannot find name '${name}'`)),
  )

  test.each([
    ['Date', 'export const a = Date.now()', 'noRestrictedGlobals'],
    ['Date', 'export const a = new Date(0)', 'noRestrictedGlobals'],
    ['Math.random', 'export const a = Math.random()', 'noJsRestrictedProperties'],
    ['Math.random', 'export const {random} = Math', 'noJsRestrictedProperties'],
  ])('%s is refused by the linter in %s', (_name, text, rule) => {
    expect(lintAt('shared/position/planted.ts', text)).toContain(rule)
  })
})

describe('the engine has one clock', () => {
  test.each([
    ['export const a = Date.now()', 'noJsRestrictedProperties'],
    ['export const a = Math.random()', 'noJsRestrictedProperties'],
    ['export const a = AbortSignal.timeout(4)', 'noJsRestrictedProperties'],
    ['setTimeout(() => {}, 4)', 'noRestrictedGlobals'],
    ['setInterval(() => {}, 4)', 'noRestrictedGlobals'],
    ['export const a = performance.now()', 'noRestrictedGlobals'],
  ])('%s is refused outside clock.ts', (text, rule) => {
    expect(lintAt('electron/engine/planted.ts', text)).toContain(rule)
    expect(lintAt('electron/engine/clock.ts', text)).not.toContain(rule)
  })
})

test.each([
  ['any', 'export const a: any = 1', 'noExplicitAny'],
  ['a default export', 'export default 1', 'noDefaultExport'],
  ['an enum', 'export enum A {b}', 'noEnum'],
  ['a parameter property', 'export class A { constructor(readonly b: number) {} }', 'noParameterProperties'],
  ['six parameters', 'export function f(a = 0, b = a, c = b, d = c, e = d, g = e) { return g }', 'useMaxParams'],
  ['a function of 51 lines', `export function f() {\n${'f()\n'.repeat(51)}}`, 'noExcessiveLinesPerFunction'],
])('%s is refused by the linter', (_what, text, rule) => {
  expect(lintAt('electron/engine/planted.ts', text)).toContain(rule)
})
