import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {SourceId} from '../../../shared/source/source.ts'
import {fileTokens} from './file-tokens.ts'
import {temporaryDirectory} from './testing/temporary-store.ts'

const SOURCE = 'source-1' as SourceId

test('a token comes back as it was given, also to the next process', async () => {
  const path = join(temporaryDirectory(), 'tokens.json')
  await fileTokens(path).set(SOURCE, 'secret "é" \ud83d\ude00')
  await fileTokens(path).set('__proto__' as SourceId, 'other')
  expect(await fileTokens(path).get(SOURCE)).toBe('secret "é" \ud83d\ude00')
  expect(await fileTokens(path).get('__proto__' as SourceId)).toBe('other')
  expect(await fileTokens(path).get('constructor' as SourceId)).toBeUndefined()
})

test('a deleted token is gone from the file', async () => {
  const path = join(temporaryDirectory(), 'tokens.json')
  const tokens = fileTokens(path)
  await tokens.set(SOURCE, 'top-secret')
  await tokens.delete(SOURCE)
  expect(await tokens.get(SOURCE)).toBeUndefined()
  expect(readFileSync(path, 'utf8')).not.toContain('top-secret')
})

test('the file is for this user only, and nothing else is left beside it', async () => {
  const directory = temporaryDirectory()
  await fileTokens(join(directory, 'tokens.json')).set(SOURCE, 'secret')
  expect(statSync(join(directory, 'tokens.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(directory)).toEqual(['tokens.json'])
})

test('what a killed process left half written does not stay', async () => {
  const directory = temporaryDirectory()
  const path = join(directory, 'tokens.json')
  writeFileSync(`${path}.unfinished`, '{"version":1,"tokens":[["source-1","top-sec', {mode: 0o644})
  await fileTokens(path).set(SOURCE, 'secret')
  expect(readdirSync(directory)).toEqual(['tokens.json'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a file that is none of ours is refused without its text, and never overwritten', async () => {
  const path = join(temporaryDirectory(), 'tokens.json')
  writeFileSync(path, 'hunter2')
  await expect(fileTokens(path).set(SOURCE, 'secret')).rejects.toThrow(/is not a token file/)
  await expect(fileTokens(path).get(SOURCE)).rejects.toThrow(/^(?!.*hunter2)/)
  expect(readFileSync(path, 'utf8')).toBe('hunter2')
})

test('says in words that the tokens are not encrypted', () => {
  expect(fileTokens('/p/tokens.json').describe).toContain('not encrypted')
})
