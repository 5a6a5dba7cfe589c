import {createCipheriv, createDecipheriv, randomBytes} from 'node:crypto'
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import type {SourceId} from '../../shared/source/source.ts'
import {fileTokens} from '../engine/store/file-tokens.ts'
import {chooseTokens, type Keychain} from './keychain.ts'

const one = 'one' as SourceId
const other = 'other' as SourceId
const key = randomBytes(32)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-keychain-'))
})
afterEach(() => rmSync(folder, {recursive: true}))

const files = () => ({tokens: join(folder, 'tokens.json'), sealedTokens: join(folder, 'tokens.sealed.json')})

/** A real cipher, with a key that no file holds. */
function keychain(isEncryptionAvailable: boolean, backend?: string): Keychain {
  return {
    isEncryptionAvailable: () => isEncryptionAvailable,
    ...(backend === undefined ? {} : {getSelectedStorageBackend: () => backend}),
    encryptString: (text) => {
      const iv = randomBytes(16)
      const cipher = createCipheriv('aes-256-ctr', key, iv)
      return Buffer.concat([iv, cipher.update(text, 'utf8')])
    },
    decryptString: (sealed) =>
      createDecipheriv('aes-256-ctr', key, sealed.subarray(0, 16)).update(sealed.subarray(16)).toString('utf8'),
  }
}

describe.each([
  ['macOS and Windows', keychain(true)],
  ['Linux with a keyring', keychain(true, 'gnome_libsecret')],
])('on %s', (_where, system) => {
  test('a token is kept encrypted, and read again after a restart', async () => {
    await chooseTokens(files(), system).set(one, 'a secret')
    await chooseTokens(files(), system).set(other, 'another')
    const again = chooseTokens(files(), system)
    expect([await again.get(one), await again.get(other)]).toEqual(['a secret', 'another'])
    expect(readFileSync(files().sealedTokens, 'utf8')).not.toContain('a secret')
    expect(existsSync(files().tokens)).toBe(false)
    expect(again.describe).toContain('encrypted with a key')
  })

  test('one that host mode left in plain text is read, and encrypted when it is replaced', async () => {
    await fileTokens(files().tokens).set(one, 'an old one')
    const tokens = chooseTokens(files(), system)
    expect(await tokens.get(one)).toBe('an old one')
    await tokens.set(one, 'a new one')
    expect(await tokens.get(one)).toBe('a new one')
    expect(await fileTokens(files().tokens).get(one)).toBeUndefined()
  })

  test('a token that is deleted is nowhere', async () => {
    await fileTokens(files().tokens).set(one, 'an old one')
    const tokens = chooseTokens(files(), system)
    await tokens.set(other, 'a secret')
    await tokens.delete(one)
    await tokens.delete(other)
    expect([await tokens.get(one), await tokens.get(other)]).toEqual([undefined, undefined])
  })
})

test.each([
  ['there is no keychain', keychain(false)],
  ['the key is one that everybody knows', keychain(true, 'basic_text')],
  ['nobody can say what holds the key', keychain(true, 'unknown')],
])('where %s, the token is in a file, and the words say so', async (_why, system) => {
  const tokens = chooseTokens(files(), system)
  await tokens.set(one, 'a secret')
  expect(await fileTokens(files().tokens).get(one)).toBe('a secret')
  expect(existsSync(files().sealedTokens)).toBe(false)
  expect(tokens.describe).toContain('not encrypted')
  expect(tokens.describe).toContain('no keychain')
})
