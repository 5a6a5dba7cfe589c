import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {afterEach, describe, expect, test} from 'vitest'
import {checkImports, RULES} from './import-rules.ts'
import {FOLDERS, readImports, readModules, sourcePaths} from './read-imports.ts'

const planted: string[] = []
afterEach(() => {
  for (const root of planted.splice(0)) rmSync(root, {recursive: true})
})

/** Writes the files into an empty folder and reads them back as the check does. */
function rulesBrokenBy(files: Readonly<Record<string, string>>): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'tidemark-rules-'))
  planted.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), {recursive: true})
    writeFileSync(join(root, path), text)
  }
  const violations = checkImports(readModules(root), (path) => existsSync(join(root, path)))
  return [...new Set(violations.map(({rule}) => rule))]
}

/** One violation of each rule: where it is planted, what it says, and the file it leads to. */
const violations: ReadonlyArray<[rule: string, from: string, text: string, to?: string]> = [
  ['shared-stands-alone', 'shared/base/a.ts', `import 'node:fs'`],
  ['shared-stands-alone', 'shared/base/a.ts', `import {nanoid} from 'nanoid'`],
  ['shared-stands-alone', 'shared/frames/a.ts', `import '../../electron/engine/b.ts'`, 'electron/engine/b.ts'],
  ['shared-tests-know-only-shared', 'shared/a.test.ts', `import '../electron/engine/b.ts'`, 'electron/engine/b.ts'],
  ['zod-only-at-the-edges-of-shared', 'shared/position/a.ts', `import {z} from 'zod'`],
  ['shared-base-is-the-bottom', 'shared/base/a.ts', `import type {B} from '../frames/b.ts'`, 'shared/frames/b.ts'],
  ['shared-contract-is-the-top', 'shared/frames/a.ts', `import {b} from '../contract/b.ts'`, 'shared/contract/b.ts'],
  ['only-shell-imports-the-electron-package', 'electron/engine/a.ts', `import {app} from 'electron'`],
  ['only-shell-imports-the-electron-package', 'electron/host/a.ts', `import type {App} from 'electron'`],
  ['renderer-knows-no-electron', 'renderer/a.ts', `import type {B} from '../electron/b.ts'`, 'electron/b.ts'],
  ['renderer-knows-no-node', 'renderer/a.ts', `import {join} from 'node:path'`],
  ['electron-knows-no-renderer', 'electron/host/a.ts', `export * from '../../renderer/b.ts'`, 'renderer/b.ts'],
  ['engine-stands-below-its-shells', 'electron/engine/a.ts', `await import('../demo/b.ts')`, 'electron/demo/b.ts'],
  ['engine-stands-below-its-shells', 'electron/engine/a.ts', `import '../host/b.ts'`, 'electron/host/b.ts'],
  ['engine-tests-know-no-shell', 'electron/engine/a.test.ts', `import '../shell/b.ts'`, 'electron/shell/b.ts'],
  ['shell-host-and-cli-stand-apart', 'electron/shell/a.ts', `import '../host/b.ts'`, 'electron/host/b.ts'],
  ['demo-shares-only-base', 'electron/demo/a.ts', `import '../engine/b.ts'`, 'electron/engine/b.ts'],
  ['demo-shares-only-base', 'electron/demo/a.ts', `import {b} from '../../shared/frames/b.ts'`, 'shared/frames/b.ts'],
  ['demo-ports-import-types-only', 'electron/demo/port.ts', `import {b} from '../engine/b.ts'`, 'electron/engine/b.ts'],
  [
    'renderer-features-stand-apart',
    'renderer/features/gaps/a.tsx',
    `import {B} from '../board/b.tsx'; export const a = <B>text</B>`,
    'renderer/features/board/b.tsx',
  ],
  ['renderer-state-is-below-its-screens', 'renderer/state/a.ts', `import '../ui/b.ts'`, 'renderer/ui/b.ts'],
  ['renderer-ui-knows-no-feature', 'renderer/ui/a.tsx', `import '../features/x/b.tsx'`, 'renderer/features/x/b.tsx'],
  ['the-stand-in-knows-no-product', 'e2e/stand-in/a.ts', `import '../../shared/base/b.ts'`, 'shared/base/b.ts'],
  ['e2e-knows-only-demo-and-shared', 'e2e/a.spec.ts', `import '../electron/engine/b.ts'`, 'electron/engine/b.ts'],
  ['product-imports-no-test', 'electron/engine/a.ts', `import '../../tools/b.ts'`, 'tools/b.ts'],
  ['product-imports-no-test', 'electron/engine/a.ts', `import './testing/b.ts'`, 'electron/engine/testing/b.ts'],
  ['names-a-file', 'electron/engine/a.ts', `import './b.js'`, 'electron/engine/b.ts'],
  ['no-cycles', 'shared/frames/a.ts', `import type {A} from './a.ts'`],
]

describe('a planted violation is refused by its rule', () => {
  test.each(violations)('%s: %s says %s', (rule, from, text, to) => {
    expect(rulesBrokenBy({[from]: text, ...(to === undefined ? {} : {[to]: 'export {}'})})).toContain(rule)
  })

  test('every rule has one', () => {
    const covered = new Set(violations.map(([rule]) => rule))
    expect([...RULES.map(({name}) => name), 'names-a-file', 'no-cycles'].filter((name) => !covered.has(name))).toEqual(
      [],
    )
  })
})

const allowed: ReadonlyArray<[from: string, text: string, to: string]> = [
  ['shared/contract/a.ts', `import {z} from 'zod'; import type {B} from '../frames/b.ts'`, 'shared/frames/b.ts'],
  ['electron/shell/a.ts', `import {app} from 'electron'; import '../engine/b.ts'`, 'electron/engine/b.ts'],
  ['electron/cli/a.ts', `import '../host/b.ts'`, 'electron/host/b.ts'],
  ['electron/demo/callbacks.ts', `import type {B} from '../engine/b.ts'`, 'electron/engine/b.ts'],
  ['renderer/features/gaps/a.tsx', `import '../../state/b.ts'`, 'renderer/state/b.ts'],
  ['e2e/a.spec.ts', `import '../electron/demo/b.ts'`, 'electron/demo/b.ts'],
]

test.each(allowed)('%s may say %s', (from, text, to) => {
  expect(rulesBrokenBy({[from]: text, [to]: 'export {}'})).toEqual([])
})

test('a cycle through three files is told once, with its way round', () => {
  const modules = ['a', 'b', 'c'].map((name, i) => ({
    path: `shared/x/${name}.ts`,
    imports: readImports(`shared/x/${name}.ts`, `import './${'bca'[i]}.ts'`),
  }))
  expect(checkImports(modules, () => true)).toEqual([
    {rule: 'no-cycles', from: 'shared/x/a.ts', to: 'shared/x/b.ts → shared/x/c.ts → shared/x/a.ts'},
  ])
})

test('every way of naming another file is read, types apart from code', () => {
  const text = `
    import type {A} from './a.ts'
    import {type B, b} from './b.ts'
    export {c} from './c.ts'
    export * from './d.ts'
    export type {E} from './e.ts'
    type F = import('./f.ts').F
    const g = await import('./g.ts')
    const h = new Worker(new URL('./h.ts', import.meta.url))
    const i = require('i')
    using j = k
    const l = <L,>(m: L) => m satisfies L`
  expect(readImports('x.ts', text).map(({specifier, typeOnly}) => `${specifier}${typeOnly ? ' type' : ''}`)).toEqual([
    './a.ts type',
    './b.ts',
    './c.ts',
    './d.ts',
    './e.ts type',
    './f.ts type',
    './g.ts',
    './h.ts',
    'i',
  ])
})

test('a file that does not parse is told, never passed over', () => {
  expect(() => readImports('x.ts', 'import {a from "./b.ts"')).toThrow('x.ts does not parse')
})

test('every TypeScript file of the tree is read', () => {
  const root = join(import.meta.dirname, '..')
  const onDisk = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), {recursive: true, withFileTypes: true}).filter(
      (entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name),
    ),
  )
  expect(sourcePaths(root).length).toBe(onDisk.length)
  expect(onDisk.length).toBeGreaterThan(0)
})
