import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {builtinModules} from 'node:module'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {buildElectron} from './build-parts.ts'
import {readImports} from './read-imports.ts'

const outDir = mkdtempSync(join(tmpdir(), 'tidemark-build-'))
beforeAll(() => buildElectron(outDir))
afterAll(() => rmSync(outDir, {recursive: true}))

function importsOf(name: string): readonly string[] {
  return readImports(name, readFileSync(join(outDir, name), 'utf8')).map(({specifier}) => specifier)
}

test('the preload is one CommonJS file that requires nothing but electron', () => {
  expect(importsOf('preload.cjs')).toEqual(['electron'])
  expect(readFileSync(join(outDir, 'preload.cjs'), 'utf8')).not.toMatch(/^(import|export) /m)
})

test('the main process brings along everything but Electron and Node', () => {
  const scripts = readdirSync(outDir).filter((name) => name.endsWith('.js'))
  expect(scripts).toEqual(expect.arrayContaining(['main.js', 'store-worker.js', 'watchdog.js']))
  const outside = scripts
    .flatMap((name) => importsOf(name))
    .filter((specifier) => !specifier.startsWith('.') && specifier !== 'electron')
  const builtin = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)])
  expect(outside.filter((specifier) => !builtin.has(specifier) && !specifier.startsWith('node:'))).toEqual([])
})
